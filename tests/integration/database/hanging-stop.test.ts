import { createDatabase, systemSql } from '@frontdesk/database';
import { PATIENT_BOUNDS, type Relay, startRelay } from '../../support/index.ts';
import { logger, migrations, openDatabase } from './database-world.ts';

const one = systemSql<{ one: number }>('test_one', 'select 1 as one');

let world: Awaited<ReturnType<typeof openDatabase>>;
let relay: Relay;
beforeAll(async () => {
  world = await openDatabase();
  relay = await startRelay(world.url);
});
afterAll(async () => {
  await relay.close();
  await world.close();
});

it('a stop ends what is under way in a database that hangs', async () => {
  // Nothing else would.
  const bounds = { ...PATIENT_BOUNDS, query_timeout: 0 };
  const database = createDatabase({ url: relay.url, migrations, logger, bounds });
  await database.start();
  const hangs = Promise.withResolvers<void>();
  const work = database.system.transaction(async (tx) => {
    await tx.one(one);
    relay.hang();
    hangs.resolve();
    return tx.one(one);
  });
  const ended = expect(work).rejects.toThrow();
  await hangs.promise;
  await database.stop();
  await ended;
});
