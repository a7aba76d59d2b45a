import {
  customerTotalsBody,
  type EventEnvelope,
  PLAN_QUOTAS,
  storedBytesQuery,
  type Tenant,
} from '@frontdesk/contracts';
import { systemSql, tenantSql } from '@frontdesk/database';
import { AppError, createMetrics, type Loop, loadConfig, ok, startComponents } from '@frontdesk/service';
import { Client } from 'pg';
import { buildGateway } from '../../../../services/gateway/src/app.ts';
import { configSchema } from '../../../../services/gateway/src/config.ts';
import { eventually, lockWaits, logger, startNeighbours } from '../../../support/index.ts';
import { type Gateway, type GatewayWorld, operator, startGatewayWorld } from '../gateway-world.ts';

const events = tenantSql<{ envelope: EventEnvelope }>(
  'test_quota_events',
  'select envelope from outbox where tenant_id = $tenantId order by id',
);
/** As the migration leaves a tenant that was there before. */
const unsettle = systemSql<never, { tenantId: number }>(
  'test_unsettle',
  'update tenants set unsettled_quotas = default where tenant_id = $tenantId',
);

let world: GatewayWorld;
let gateway: Gateway;
let neighbours: Awaited<ReturnType<typeof startNeighbours>>;
const customers = new Map<number, number>();
let isAway = true;
/** By tenant, what each service says. */
const stored = new Map<number, number>();
let hasMeasured = true;
let pagesAsked = 0;
const isMeasured = systemSql<{ done: boolean }>(
  'test_is_measured',
  'select coalesce(bool_or(kept_from is not null), false) as done from stored_bytes_measurement',
);

beforeAll(async () => {
  world = await startGatewayWorld();
  neighbours = await startNeighbours((app) => {
    app.get('/internal/stored-bytes', { schema: { querystring: storedBytesQuery } }, async ({ query }) => {
      pagesAsked += 1;
      const tenants = [...stored]
        .map(([tenant_id, bytes]) => ({ tenant_id, bytes }))
        .filter(({ tenant_id }) => tenant_id > query.after_tenant)
        .sort((one, other) => one.tenant_id - other.tenant_id);
      return ok({ is_measured: hasMeasured, tenants });
    });
    app.post('/internal/customer-totals', { schema: { body: customerTotalsBody } }, async ({ body }) => {
      if (isAway) throw new AppError('service_unavailable', 'Away.');
      return ok(
        body.tenant_ids.flatMap((tenant_id) => {
          const count = customers.get(tenant_id);
          return count === undefined ? [] : [{ tenant_id, customers: count }];
        }),
      );
    });
  });
  gateway = await world.startGateway({}, { without: ['gateway count', 'quota settler'] });
});
afterAll(async () => {
  await world.stop();
  await neighbours.stop();
});

const recordOf = async (id: number) =>
  (await world.internal(gateway, operator, 'GET', `/internal/tenants/${id}`)).body.data;
const quotasOf = async (id: number) => ((await recordOf(id)) as unknown as { quotas: object }).quotas;
const eventsOf = async (id: number) =>
  (await world.database.forTenant(id).many(events)).map(({ envelope }) => envelope);
const settler = () => world.startGateway({ CRM_INTERNAL_URL: neighbours.url });

describe('a quota that came when businesses were there already', () => {
  it('is in force for a new tenant at once', async () => {
    const id = await world.newTenant(gateway, { plan: 'starter' });
    expect(await quotasOf(id)).toEqual(PLAN_QUOTAS.starter);
  });

  it('is left out for the others until crm has said how many customers they have; who has more keeps them, and a tenth more', async () => {
    const [small, large] = [
      await world.newTenant(gateway, { plan: 'starter' }),
      await world.newTenant(gateway, { plan: 'starter' }),
    ];
    customers.set(large, 60_001);
    for (const id of [small, large]) await world.database.system.run(unsettle, { tenantId: id });
    const { customers: _customers, stored_bytes: _bytes, ...known } = PLAN_QUOTAS.starter;
    expect([await quotasOf(small), await quotasOf(large)]).toEqual([known, known]);
    // Crm is away, or of the release before: nothing changes.
    isAway = true;
    const waiting = await settler();
    expect(await quotasOf(large)).toEqual(known);
    // A change by an operator puts nothing in force.
    await world.internal(gateway, operator, 'PATCH', `/internal/tenants/${small}`, { name: 'Barber' });
    expect((await eventsOf(small)).at(-1)?.data).toMatchObject({ name: 'Barber', quotas: known });
    await waiting.stop();

    isAway = false;
    const settling = await settler();
    await eventually(async () => {
      expect(await quotasOf(small)).toMatchObject({ customers: PLAN_QUOTAS.starter.customers });
      expect(await quotasOf(large)).toMatchObject({ customers: 66_002 });
    });
    expect((await eventsOf(large)).at(-1)).toMatchObject({
      type: 'tenant.updated',
      aggregate_version: 2,
      data: { quotas: { ...known, customers: 66_002 } },
    });
    await settling.stop();
    // Once only.
    const again = await settler();
    await again.stop();
    expect(await eventsOf(large)).toHaveLength(2);
    // The plan's number counts where it is more, and an operator may take the rest back.
    await world.internal(gateway, operator, 'PATCH', `/internal/tenants/${large}`, {
      quotas: { customers: null },
    });
    expect(await quotasOf(large)).toMatchObject({ customers: PLAN_QUOTAS.starter.customers });
  });
});

describe('the quota of stored bytes', () => {
  const GB = 1_000_000_000;
  /** That are asked, beside what the gateway has itself. */
  const SERVICES = 4;
  const { stored_bytes: allowed } = PLAN_QUOTAS.starter;
  const storageOf = async (id: number) => {
    const { storage_full, quotas } = (await recordOf(id)) as unknown as Tenant;
    return [storage_full ?? false, quotas?.stored_bytes];
  };
  const everywhere = () => {
    const url = neighbours.url;
    return {
      CALLS_INTERNAL_URL: url,
      CRM_INTERNAL_URL: url,
      SCHEDULING_INTERNAL_URL: url,
      WEBHOOKS_INTERNAL_URL: url,
    };
  };
  const isMeasuredHere = () =>
    eventually(async () => expect(await world.database.system.one(isMeasured)).toEqual({ done: true }));
  /** A gateway that adds up what the services say now, and has judged all tenants: the one that is added for it comes last. */
  const measure = async () => {
    const last = await world.newTenant(gateway, { plan: 'starter' });
    stored.set(last, 10 * GB);
    const measuring = await world.startGateway(everywhere());
    await eventually(async () => expect(await storageOf(last)).toEqual([true, allowed]));
    await measuring.stop();
    stored.delete(last);
  };
  /** A gateway that asks all services, of which some have not measured, and does what it makes of that: it asks again only afterwards. */
  const measureInVain = async () => {
    const asked = pagesAsked;
    hasMeasured = false;
    const config = loadConfig(configSchema, world.environment(everywhere()));
    const { components } = await buildGateway(config, { logger, metrics: createMetrics() });
    const storage = components.find(({ name }) => name === 'storage') as Loop;
    const others = components.filter(({ name }) => name === 'database' || name.endsWith(' client'));
    const running = await startComponents([...others, storage], logger);
    storage.wake();
    await eventually(() => expect(pagesAsked).toBeGreaterThan(asked + SERVICES));
    await running.stop();
    hasMeasured = true;
  };
  /** A transaction by hand. */
  const connect = async () => {
    const client = new Client({ connectionString: world.environment().DATABASE_URL });
    await client.connect();
    return client;
  };

  it('is the sum over all services; beyond a tenth more the tenant’s event says so, and again when there is less', async () => {
    const id = await world.newTenant(gateway, { plan: 'starter' });
    // The own database is measured as well.
    await isMeasuredHere();
    // Each says an equal part.
    const store = (bytes: number) => stored.set(id, bytes / SERVICES);
    const usage = async () =>
      (await world.internal(gateway, operator, 'GET', `/internal/tenants/${id}/quota-usage`)).body.data;

    store(21 * GB);
    await measure();
    expect([await storageOf(id), await usage()]).toEqual([
      [false, allowed],
      { api_keys: 0, stored_bytes: 21 * GB },
    ]);
    expect(await eventsOf(id)).toHaveLength(1);
    const { data } = (await world.internal(gateway, operator, 'GET', '/internal/quota-uses')).body;
    expect(data).toContainEqual({ tenant_id: id, quota: 'stored_bytes', used: 21 * GB });

    store(23 * GB);
    await measure();
    await measure();
    expect(await storageOf(id)).toEqual([true, allowed]);
    expect((await eventsOf(id)).map(({ data }) => (data as Tenant).storage_full)).toEqual([undefined, true]);
    // There is less, but not less than allowed; and then nobody knows, as one service has not measured.
    store(21 * GB);
    await measure();
    expect(await storageOf(id)).toEqual([true, allowed]);
    store(1 * GB);
    await measureInVain();
    expect(await storageOf(id)).toEqual([true, allowed]);
    await measure();
    expect(await storageOf(id)).toEqual([false, allowed]);
    expect(await eventsOf(id)).toHaveLength(3);
  });

  it('who is let store more may add at once, and who had more before the quota keeps it, and a tenth more', async () => {
    const [id, old] = [
      await world.newTenant(gateway, { plan: 'starter' }),
      await world.newTenant(gateway, { plan: 'starter' }),
    ];
    await world.database.system.run(unsettle, { tenantId: old });
    for (const tenant of [id, old]) stored.set(tenant, 10 * GB);
    await measure();
    expect(await storageOf(id)).toEqual([true, allowed]);
    expect(await storageOf(old)).toEqual([false, 44 * GB]);
    await world.internal(gateway, operator, 'PATCH', `/internal/tenants/${id}`, {
      quotas: { stored_bytes: 40 * GB },
    });
    expect(await storageOf(id)).toEqual([false, 40 * GB]);
    expect((await eventsOf(id)).at(-1)?.data).not.toHaveProperty('storage_full');
  });

  it('a tenant that can’t be judged keeps no other from it', async () => {
    await isMeasuredHere();
    const [broken, whole] = [
      await world.newTenant(gateway, { plan: 'starter' }),
      await world.newTenant(gateway, { plan: 'starter' }),
    ];
    for (const id of [broken, whole]) {
      await world.database.system.run(unsettle, { tenantId: id });
      stored.set(id, 10 * GB);
      customers.set(id, 60_001);
    }
    const client = await connect();
    await client.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`,
    );
    await client.query(
      `create trigger refuse_one before update of unsettled_quotas on tenants
       for each row when (old.tenant_id = ${broken}) execute function refuse()`,
    );
    const settling = await world.startGateway(everywhere());
    await eventually(async () =>
      expect(await quotasOf(whole)).toMatchObject({ customers: 66_002, stored_bytes: 44 * GB }),
    );
    const left = await quotasOf(broken);
    expect([left, 'customers' in left, 'stored_bytes' in left]).toEqual([expect.anything(), false, false]);
    await settling.stop();
    await client.query('drop function refuse cascade');
    await client.end();
    const again = await world.startGateway(everywhere());
    await eventually(async () =>
      expect(await quotasOf(broken)).toMatchObject({ customers: 66_002, stored_bytes: 44 * GB }),
    );
    await again.stop();
  });

  it('a stop ends a turn after the tenant in hand', async () => {
    isAway = false;
    const [inHand, next] = [
      await world.newTenant(gateway, { plan: 'starter' }),
      await world.newTenant(gateway, { plan: 'starter' }),
    ];
    for (const id of [inHand, next]) await world.database.system.run(unsettle, { tenantId: id });
    const config = loadConfig(configSchema, world.environment({ CRM_INTERNAL_URL: neighbours.url }));
    const { components } = await buildGateway(config, { logger, metrics: createMetrics() });
    const running = await startComponents(
      components.filter(({ name }) => ['database', 'crm client'].includes(name)),
      logger,
    );
    const settler = components.find(({ name }) => name === 'quota settler');
    const client = await connect();
    await client.query('begin');
    await client.query('select from tenants where tenant_id = $1 for update', [inHand]);
    await settler?.start?.();
    await eventually(async () => expect((await lockWaits(world.database)).all).toBeGreaterThan(0));
    const stopping = settler?.stop?.();
    await client.query('rollback');
    await stopping;
    await client.end();
    await running.stop();
    expect(await quotasOf(inHand)).toHaveProperty('customers');
    expect(await quotasOf(next)).not.toHaveProperty('customers');
  });
});
