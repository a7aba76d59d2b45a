import { migrate } from '@frontdesk/database';
import { migrations } from '../../../services/webhooks/src/data/migrations/index.ts';
import { eventually, logger } from '../../support/index.ts';
import { startFleet } from './fleet.ts';
import { startOwnEngine } from './own-engine.ts';

/** Of each process. */
const PLACES_IN_FLIGHT = 24;

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
      env: { DELIVERY_CONCURRENCY: String(PLACES_IN_FLIGHT), LEASE_MARGIN_MS: '3600000' },
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
      postgres,
      areReady,
      /** As many as can have been under way at one failure. */
      placesInFlight: members.length * PLACES_IN_FLIGHT,
      repeatCount: () => [...fleet.repeats().values()].reduce((sum, more) => sum + more, 0),
      endAll: () => Promise.all(members.map(fleet.end)),
      stop: () => resources.disposeAsync(),
    };
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}
