import { createCountFolder, systemSql } from '@frontdesk/database';
import { eventually } from '../../support/index.ts';
import { logger, openDatabase } from './database-world.ts';

const countRows = systemSql<{ count: number }>('count_rows', 'select count(*) from counts');

describe('counts', () => {
  it('stay exact while they are folded under racing writers', async () => {
    const { database, close } = await openDatabase();
    const scope = database.forTenant(3);
    const folder = createCountFolder({ database, logger });
    const add = () => scope.transaction(async (tx) => tx.addToCount('things', 1));
    await Promise.all(Array.from({ length: 200 }, add));
    await folder.start?.();
    await Promise.all(Array.from({ length: 100 }, add));

    await eventually(async () => expect((await database.system.one(countRows)).count).toBeLessThan(150));
    expect(await scope.total('things')).toBe(300);
    expect(await database.forTenant(4).total('things')).toBe(0);
    await folder.stop?.();
    await close();
  });
});
