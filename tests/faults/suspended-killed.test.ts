import { eventually } from '../support/index.ts';
import { type Fleet, type FleetMember, startFleet } from './support/fleet.ts';

const BACKLOG = 100;

describe('webhooks processes that are killed while a tenant is suspended, and while its backlog goes out', () => {
  let fleet: Fleet;

  beforeAll(async () => {
    fleet = await startFleet({ env: { REPLAYS_PER_SECOND: '1', LEASE_MARGIN_MS: '3600000' } });
  });
  afterAll(() => fleet?.stop());

  const countOf = async (text: string) =>
    Number((await fleet.ledger.query<{ count: string }>(`select count(*) as count from ${text}`))[0]?.count);

  it('lose nothing, and only what a dead one had leased arrives twice', async () => {
    const held: string[] = [];
    const replace = async (victim: FleetMember, env?: Record<string, string>) => {
      held.push(...(await fleet.killInMidDelivery(victim)).map(fleet.place));
      return fleet.start(env);
    };
    const first = await fleet.start();
    await fleet.moreArrive();
    await fleet.ledger.query(
      `insert into tenants (tenant_id, name, plan, status, timezone, country, currency, version)
       select min(tenant_id), 'Salon', 'pro', 'suspended', 'UTC', 'DE', 'EUR', 1 from endpoints`,
    );
    await eventually(async () => expect(await countOf('endpoints where is_suspended')).toBe(2));
    const second = await replace(first);
    await fleet.moreArrive();
    await eventually(async () =>
      expect(
        await countOf('delivery_queue q join tenants t on t.tenant_id = q.tenant_id'),
      ).toBeGreaterThanOrEqual(BACKLOG),
    );

    await fleet.ledger.query(`update tenants set status = 'active'`);
    await eventually(async () =>
      expect(await countOf('endpoints where release_at is not null and not is_suspended')).toBe(2),
    );
    // What would take the second one most of a minute is soon done by the third.
    await replace(second, { REPLAYS_PER_SECOND: '50' });
    const places = await fleet.everythingArrives();
    expect(await fleet.ledger.totals()).toMatchObject({ attempts: places });
    expect(fleet.unexplainedRepeats(held)).toEqual([]);
  });
});
