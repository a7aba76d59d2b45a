import { Client } from 'pg';
import { migrations } from '../../../services/webhooks/src/data/migrations/index.ts';
import { createLeaseSession } from '../../../services/webhooks/src/workers/lease-session.worker.ts';
import { createTestDatabase, engines, eventually, logger, startRelay } from '../../support/index.ts';

/** Longer than any test: only what is cut ends a session. */
const LONG_MS = 600_000;

describe('the lease session', () => {
  it('wakes every other process and not its own; tells of a lost connection, and goes on as another owner', async () => {
    const { url, drop } = await createTestDatabase(migrations, 'webhooks');
    const wakes = { here: 0, there: 0 };
    const ownersAtLoss: (number | null)[] = [];
    const here = createLeaseSession({
      ...{ url, timeoutMs: LONG_MS, logger },
      onEndpointChanged: () => {},
      onWake: () => (wakes.here += 1),
      onLost: () => ownersAtLoss.push(here.owner()),
    });
    const there = createLeaseSession({
      ...{ url, timeoutMs: LONG_MS, logger },
      onEndpointChanged: () => {},
      onWake: () => (wakes.there += 1),
      onLost: () => {},
    });
    const admin = new Client({ connectionString: engines().databaseUrl });
    await Promise.all([here.start(), there.start(), admin.connect()]);

    const owners = () => [here.owner(), there.owner()];
    const isHeard = async () => {
      const before = { ...wakes };
      await eventually(() => {
        here.announce();
        expect(wakes.there).toBeGreaterThan(before.there);
      });
      expect(wakes.here).toBe(before.here);
    };
    try {
      await eventually(() => expect(owners()).not.toContain(null));
      const before = owners();
      await isHeard();
      expect(ownersAtLoss).toEqual([]);

      const database = new URL(url).pathname.slice(1);
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        database,
      ]);
      await eventually(() => {
        expect(owners()).not.toContain(null);
        expect(new Set([...before, ...owners()]).size).toBe(4);
      });
      expect(ownersAtLoss).toEqual([null]);
      await isHeard();
    } finally {
      await Promise.all([here.stop(), there.stop(), admin.end()]);
      await drop();
    }
  });

  it('gives its number up once its connection has been silent for some seconds, without any other sign', async () => {
    const { url, drop } = await createTestDatabase(migrations, 'webhooks');
    const relay = await startRelay(url);
    let losses = 0;
    const session = createLeaseSession({
      onEndpointChanged: () => {},
      onLost: () => (losses += 1),
      url: relay.url,
      logger,
      onWake: () => {},
    });
    const other = new Client({ connectionString: url });
    await Promise.all([session.start(), other.connect()]);
    const held = () =>
      eventually(() => {
        expect(session.owner()).toEqual(expect.any(Number));
        return session.owner();
      });
    try {
      const before = await held();
      relay.hang();
      await other.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      );
      await eventually(() => expect(session.owner()).toBeNull());
      expect(losses).toBe(1);
      await relay.restore();
      expect(await held()).not.toBe(before);
    } finally {
      await Promise.all([session.stop(), other.end()]);
      await relay.close();
      await drop();
    }
  });
});
