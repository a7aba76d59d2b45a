import { eventually } from '../support/index.ts';
import { type PostgresFleet, startPostgresFleet } from './support/postgres-fleet.ts';

describe('a PostgreSQL that refuses to write', () => {
  let fleet: PostgresFleet;

  beforeAll(async () => {
    fleet = await startPostgresFleet();
  });
  afterAll(() => fleet?.stop());

  const refuseWrites = async (setting: 'on' | 'off') => {
    await fleet.ledger.query(`alter system set default_transaction_read_only = ${setting}`);
    await fleet.ledger.query('select pg_reload_conf()');
  };

  it('holds everything up, loses nothing, and sends nothing twice', async () => {
    await refuseWrites('on');
    // Kafka goes on taking events, none of which becomes a delivery.
    await eventually(async () => {
      const before = await fleet.ledger.totals();
      await fleet.moreAreAcknowledged();
      expect(await fleet.ledger.totals()).toEqual(before);
    });

    await refuseWrites('off');
    await fleet.moreArrive();
    await fleet.everythingArrives();
    expect(fleet.unexplainedRepeats([])).toEqual([]);
    expect(await fleet.endAll()).toEqual([0, 0]);
  }, 600_000);
});
