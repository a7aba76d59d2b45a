import { Client } from 'pg';
import { createWakeChannel } from '../../../services/webhooks/src/data/wake-channel.ts';
import { createTestDatabase, engines, eventually, logger } from '../../support/index.ts';

describe('the wake channel', () => {
  it('wakes every other process and not its own, and goes on after its connection was lost', async () => {
    const { url, drop } = await createTestDatabase([], 'webhooks');
    const wakes = { here: 0, there: 0 };
    const here = createWakeChannel({ url, logger, onWake: () => (wakes.here += 1) });
    const there = createWakeChannel({ url, logger, onWake: () => (wakes.there += 1) });
    const admin = new Client({ connectionString: engines().databaseUrl });
    await Promise.all([here.start?.(), there.start?.(), admin.connect()]);
    const announced = () => {
      here.announce();
      expect(wakes.there).toBeGreaterThan(0);
    };
    try {
      await eventually(announced);
      expect(wakes.here).toBe(0);

      const database = new URL(url).pathname.slice(1);
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        database,
      ]);
      wakes.there = 0;
      await eventually(announced, { timeoutMs: 20_000 });
      expect(wakes.here).toBe(0);
    } finally {
      await Promise.all([here.stop?.(), there.stop?.(), admin.end()]);
      await drop();
    }
  });
});
