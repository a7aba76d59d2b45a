import { createDatabase, type MigrationClass, migrate, sharedMigrations } from '@frontdesk/database';
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

  it('are told one after the other, each as it begins', async () => {
    const { url, drop } = await createTestDatabase(sharedMigrations, 'told');
    const lines: string[] = [];
    const onBegin = (name: string) => lines.push(`${name} begins`);
    const names = ['One1790000002001', 'Two1790000002002'];
    const steps = names.map(
      (name): MigrationClass =>
        class {
          readonly name = name;
          async up() {
            lines.push(`${name} is under way`);
          }
        },
    );
    const run = () => migrate({ url, migrations: [...sharedMigrations, ...steps], onBegin, logger });

    expect(await run()).toEqual(names);
    const told = names.flatMap((name) => [`${name} begins`, `${name} is under way`]);
    expect(lines).toEqual(told);
    expect(await run()).toEqual([]);
    expect(lines).toEqual(told);
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
