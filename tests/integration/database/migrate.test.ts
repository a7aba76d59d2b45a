import { createDatabase, migrate, sharedMigrations } from '@frontdesk/database';
import { createTestDatabase, PATIENT_BOUNDS } from '../../support/index.ts';
import { logger, migrations } from './database-world.ts';

describe('migrations', () => {
  it('run once, also when two jobs start at the same moment', async () => {
    const { url, drop } = await createTestDatabase(sharedMigrations, 'migrated');
    const ran = await Promise.all([
      migrate({ url, migrations, logger }),
      migrate({ url, migrations, logger }),
    ]);
    expect(ran.flat()).toEqual(['CreateThings1790000001001']);
    await drop();
  });

  it('that have not run keep a service from starting', async () => {
    const { url, drop } = await createTestDatabase(sharedMigrations, 'too_old');
    const database = createDatabase({ url, migrations, logger, bounds: PATIENT_BOUNDS });
    await expect(database.start()).rejects.toThrow(/migrate first: CreateThings1790000001001/);
    await database.stop();
    await drop();
  });
});
