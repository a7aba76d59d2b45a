import { migrate } from '@frontdesk/database';
import { DATABASE_OWNERS, migrationsOf } from '../../scripts/migrate/databases.ts';
import { silentProgress } from '../../scripts/start/progress/progress.ts';
import { startSystem } from '../../scripts/start/system.ts';
import { freePortBase, stateDirectory } from '../e2e/support/local-system.ts';
import { createTestDatabase, logger } from '../support/index.ts';
import { schemaOf } from '../support/schema.ts';
import { migrateByRelease, type ReleasedSystem, withRelease } from './earlier-release.ts';

/** Three starts of a system, one with demo businesses, on a busy machine. */
const STARTS_MS = 1_200_000;

describe.each(DATABASE_OWNERS)('a database of %s by release 0.1.0', (owner) => {
  it('becomes as a new one is; where it stopped half way, after that release’s migrations', async () => {
    const migrations = await migrationsOf(owner);
    const fresh = await createTestDatabase(migrations, 'fresh');
    const expected = await schemaOf(fresh.url);
    const upgraded = async (most?: number): Promise<number> => {
      const { url, drop } = await createTestDatabase([], 'upgraded');
      const count = await migrateByRelease(url, owner, most);
      const run = () => migrate({ url, migrations, logger });
      if (most !== undefined) {
        await expect(run()).rejects.toThrow('stopped half way to release 0.1.0');
        await migrateByRelease(url, owner);
      }
      await run();
      expect(await schemaOf(url)).toEqual(expected);
      await drop();
      return count;
    };
    const count = await upgraded();
    await upgraded(1);
    await upgraded(count - 1);
    await fresh.drop();
  });
});

describe('the processes of release 0.1.0', () => {
  const { PATH, JAVA_HOME } = process.env;
  let state: Awaited<ReturnType<typeof stateDirectory>>;
  let portBase: number;
  beforeEach(async () => {
    state = await stateDirectory();
    portBase = await freePortBase();
  });
  afterEach(() => state.remove());

  const startThisRelease = () =>
    startSystem({
      directory: state.directory,
      portBase,
      env: { PATH, JAVA_HOME, LOG_LEVEL: 'warn' },
      seed: false,
      durable: false,
      progress: silentProgress,
    });

  /** The demo businesses have come by all services; one more booking has an effect in all that follow it. */
  const use = async ({ get, book }: ReleasedSystem) => {
    for (const path of ['appointments', 'customers', 'calls', 'staff', 'services']) {
      const { status, body } = await get(`/api/v1/${path}`);
      expect({ path, status, data: body.data }).toEqual({
        path,
        status: 200,
        data: expect.arrayContaining([expect.anything()]),
      });
    }
    expect(await book()).toBe(201);
  };

  it(
    'run on databases that this release has made',
    async () => {
      await (await startThisRelease()).stop();
      await withRelease(state.directory, portBase, use);
    },
    STARTS_MS,
  );

  it(
    'run on their own databases after the upgrade',
    async () => {
      await withRelease(state.directory, portBase, use);
      await (await startThisRelease()).stop();
      await withRelease(state.directory, portBase, use);
    },
    STARTS_MS,
  );
});
