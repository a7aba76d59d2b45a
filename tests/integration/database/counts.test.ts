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
    // As many of one tenant as may wait.
    const addMany = () => Promise.all(Array.from({ length: 50 }, add));
    for (let round = 0; round < 4; round += 1) await addMany();
    await folder.start?.();
    for (let round = 0; round < 2; round += 1) await addMany();

    await eventually(async () => expect((await database.system.one(countRows)).count).toBeLessThan(150));
    expect(await scope.total('things')).toBe(300);
    expect(await database.forTenant(4).total('things')).toBe(0);
    await folder.stop?.();
    await close();
  });
});
