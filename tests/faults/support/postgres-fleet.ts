import { migrate } from '@frontdesk/database';
import { migrations } from '../../../services/webhooks/src/migrations/index.ts';
import { eventually, logger } from '../../support/index.ts';
import { startFleet } from './fleet.ts';
import { startOwnEngine } from './own-engine.ts';

export type PostgresFleet = Awaited<ReturnType<typeof startPostgresFleet>>;

/** Two processes under load, over a PostgreSQL of the test's own. */
export async function startPostgresFleet() {
  const resources = new AsyncDisposableStack();
  try {
    const postgres = await startOwnEngine('postgres');
    resources.defer(postgres.remove);
    await migrate({ url: postgres.address, migrations, logger });
    const fleet = await startFleet({
      databaseUrl: postgres.address,
      // A wait for the end of a lease would last beyond the end of the test.
      env: { LEASE_MARGIN_MS: '3600000' },
    });
    resources.defer(fleet.stop);
    const members = await Promise.all([fleet.start(), fleet.start()]);
    const areReady = (status: 200 | 503) =>
      eventually(async () => {
        expect(await Promise.all(members.map(fleet.readiness))).toEqual(members.map(() => status));
      });
    await areReady(200);
    await fleet.moreArrive();
    return {
      ...fleet,
      areReady,
      /** Kills PostgreSQL and starts it again. Returns the places whose deliveries were leased, by what it kept. */
      async failOnce() {
        await postgres.kill();
        await areReady(503);
        // So that nobody changes what PostgreSQL has kept before it is read.
        for (const { pid } of members) process.kill(pid, 'SIGSTOP');
        try {
          await postgres.start();
          return (await fleet.ledger.held()).map(fleet.place);
        } finally {
          for (const { pid } of members) process.kill(pid, 'SIGCONT');
        }
      },
      endAll: () => Promise.all(members.map(fleet.end)),
      stop: () => resources.disposeAsync(),
    };
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}
