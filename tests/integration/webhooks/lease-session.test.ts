import { Client } from 'pg';
import { createLeaseSession } from '../../../services/webhooks/src/data/lease-session.ts';
import { migrations } from '../../../services/webhooks/src/data/migrations/index.ts';
import { createTestDatabase, engines, eventually, logger } from '../../support/index.ts';

describe('the lease session', () => {
  it('wakes every other process and not its own, and goes on as another owner after its connection was lost', async () => {
    const { url, drop } = await createTestDatabase(migrations, 'webhooks');
    const wakes = { here: 0, there: 0 };
    const here = createLeaseSession({ url, logger, onWake: () => (wakes.here += 1) });
    const there = createLeaseSession({ url, logger, onWake: () => (wakes.there += 1) });
    const admin = new Client({ connectionString: engines().databaseUrl });
    await Promise.all([here.start(), there.start(), admin.connect()]);

    const owners = () =>
      eventually(
        () => {
          const held = [here.owner(), there.owner()];
          expect(held).toEqual([expect.any(Number), expect.any(Number)]);
          return held;
        },
        { timeoutMs: 20_000 },
      );
    const isHeard = async () => {
      const before = { ...wakes };
      await eventually(() => {
        here.announce();
        expect(wakes.there).toBeGreaterThan(before.there);
      });
      expect(wakes.here).toBe(before.here);
    };
    try {
      const before = await owners();
      await isHeard();

      const database = new URL(url).pathname.slice(1);
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        database,
      ]);
      await eventually(() => expect([here.owner(), there.owner()]).toEqual([null, null]));
      const after = await owners();
      expect(new Set([...before, ...after]).size).toBe(4);
      await isHeard();
    } finally {
      await Promise.all([here.stop(), there.stop(), admin.end()]);
      await drop();
    }
  });
});
