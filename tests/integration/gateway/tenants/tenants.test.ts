import { type EventEnvelope, PLAN_QUOTAS } from '@frontdesk/contracts';
import { createDatabase, sharedMigrations, systemSql, tenantSql } from '@frontdesk/database';
import { createServiceClient } from '@frontdesk/service';
import { createTenantDirectory, tenantsMigrations } from '@frontdesk/tenants';
import {
  createTestDatabase,
  eventually,
  identityKeys,
  logger,
  PATIENT_BOUNDS,
} from '../../../support/index.ts';
import {
  type AnsweredBody,
  adminOf,
  bearer,
  type Gateway,
  type GatewayWorld,
  get,
  operator,
  startGatewayWorld,
  withinOneMinute,
} from '../gateway-world.ts';

let world: GatewayWorld;
let gateway: Gateway;
beforeAll(async () => {
  world = await startGatewayWorld();
  gateway = await world.startGateway();
});
afterAll(() => world.stop());

describe('the tenants', () => {
  const copyMigrations = [...sharedMigrations, ...tenantsMigrations];
  const call = (method: string, path: string, body?: object) =>
    world.internal(gateway, operator, method, path, body);
  const salon = { name: 'Salon', plan: 'starter', timezone: 'Europe/Berlin', country: 'DE', currency: 'EUR' };
  const events = tenantSql<{ envelope: EventEnvelope }>(
    'test_tenant_events',
    'select envelope from outbox where tenant_id = $tenantId order by id',
  );
  const eventsOf = async (id: number) =>
    (await world.database.forTenant(id).many(events)).map(
      ({ envelope: { type, aggregate_version, data } }) => ({
        type,
        aggregate_version,
        data,
      }),
    );

  it('a tenant is created active, and its event carries the record', async () => {
    const { status, body } = await call('POST', '/internal/tenants', salon);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ ...salon, status: 'active' });
    expect(await eventsOf(body.data.id)).toEqual([
      { type: 'tenant.created', aggregate_version: 1, data: body.data },
    ]);
    const { version, ...view } = Object.assign(
      { version: 0 },
      (await call('GET', `/internal/tenants/${body.data.id}`)).body.data,
    );
    expect([version, view]).toEqual([1, body.data]);
  });

  it('the view of one tenant has the version of its latest event, so that a copy of it is kept as of then', async () => {
    const { id } = (await call('POST', '/internal/tenants', salon)).body.data;
    await call('PATCH', `/internal/tenants/${id}`, { plan: 'pro' });
    await call('PATCH', `/internal/tenants/${id}`, { status: 'suspended' });
    const copies = await createTestDatabase(copyMigrations, 'copies');
    const database = createDatabase({
      url: copies.url,
      migrations: copyMigrations,
      logger,
      bounds: PATIENT_BOUNDS,
    });
    await database.start();
    const asCrm = createServiceClient({
      baseUrl: gateway.internalUrl,
      audience: 'gateway',
      signer: await identityKeys().signer('crm'),
      timeoutMs: 60_000,
    });
    const profile = {
      id,
      timezone: 'Europe/Berlin',
      country: 'DE',
      currency: 'EUR',
      status: 'suspended',
      plan: 'pro',
      quotas: PLAN_QUOTAS.pro,
      statedQuotas: PLAN_QUOTAS.pro,
      storage_full: false,
    };
    expect(await createTenantDirectory({ database, gateway: asCrm }).find(id)).toEqual(profile);
    const copy = systemSql<{ plan: string; version: number }, { id: number }>(
      'test_copy',
      'select plan, version from tenants where tenant_id = $id',
    );
    expect(await database.system.many(copy, { id })).toEqual([{ plan: 'pro', version: 3 }]);
    await asCrm.stop();
    await database.stop();
    await copies.drop();
  });

  it('each change is one event with the next version; no change is none; country and currency stay', async () => {
    const { id } = (await call('POST', '/internal/tenants', salon)).body.data;
    const path = `/internal/tenants/${id}`;
    await call('PATCH', path, { plan: 'pro' });
    await call('PATCH', path, { plan: 'pro' });
    await call('PATCH', path, {});
    const { body } = await call('PATCH', path, { status: 'suspended', country: 'JP', currency: 'JPY' });
    expect(body.data).toMatchObject({ ...salon, plan: 'pro', status: 'suspended' });
    expect((await eventsOf(id)).slice(1)).toEqual([
      {
        type: 'tenant.updated',
        aggregate_version: 2,
        data: expect.objectContaining({ plan: 'pro', status: 'active' }),
      },
      { type: 'tenant.updated', aggregate_version: 3, data: body.data },
    ]);
  });

  it('name and time zone can be changed, and the event has the change', async () => {
    const { id } = (await call('POST', '/internal/tenants', salon)).body.data;
    const changes = { name: 'Salon Lisboa', timezone: 'Europe/Lisbon' };
    const { status, body } = await call('PATCH', `/internal/tenants/${id}`, changes);
    expect([status, body.data]).toEqual([200, expect.objectContaining({ ...salon, ...changes })]);
    expect((await eventsOf(id)).at(-1)).toMatchObject({ type: 'tenant.updated', data: changes });
    const refused = await call('PATCH', `/internal/tenants/${id}`, { name: ' ', timezone: '+02:00' });
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['name', 'timezone']]);
  });

  it('its own admins change name and time zone; plan and status stay the operator’s', async () => {
    const { id } = (await call('POST', '/internal/tenants', salon)).body.data;
    const path = `/internal/tenants/${id}/profile`;
    const wishes = {
      name: 'Salon Lisboa',
      timezone: 'Europe/Lisbon',
      plan: 'enterprise',
      status: 'suspended',
    };
    const changed = await world.internal(gateway, adminOf(id), 'PATCH', path, wishes);
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"']);
    expect(changed.body.data).toMatchObject({
      ...salon,
      name: 'Salon Lisboa',
      timezone: 'Europe/Lisbon',
      status: 'active',
      version: 2,
    });
    expect((await eventsOf(id)).at(-1)).toMatchObject({ type: 'tenant.updated', aggregate_version: 2 });
    const stranger = adminOf(await world.newTenant(gateway));
    expect((await world.internal(gateway, stranger, 'PATCH', path, wishes)).status).toBe(404);
    const whole = `/internal/tenants/${id}`;
    expect((await world.internal(gateway, adminOf(id), 'PATCH', whole, wishes)).status).toBe(403);
  });

  it('changes of one tenant at once leave in one order, none lost', async () => {
    const { id } = (await call('POST', '/internal/tenants', salon)).body.data;
    const statuses = ['suspended', 'active', 'suspended', 'active', 'suspended', 'active'];
    await Promise.all(statuses.map((status) => call('PATCH', `/internal/tenants/${id}`, { status })));
    const versions = (await eventsOf(id)).map(({ aggregate_version }) => aggregate_version);
    expect(versions).toEqual(versions.map((_, index) => index + 1));
  });

  it('422 names every failing field', async () => {
    const { status, body } = await call('POST', '/internal/tenants', {
      plan: 'free',
      timezone: 'Mars',
      country: 'DE',
    });
    expect([status, body.errors]).toEqual([
      422,
      {
        name: ['The name field is required.'],
        plan: ['The plan field must be one of starter, pro, enterprise.'],
        timezone: ['The timezone field must be an IANA time zone, for example Europe/Berlin.'],
        currency: ['The currency field is required.'],
      },
    ]);
  });

  it('404 for a tenant that doesn’t exist', async () => {
    for (const path of ['/internal/tenants/999999999999', '/internal/tenants/0', '/internal/tenants/none']) {
      expect((await call('GET', path)).status).toBe(404);
      expect((await call('PATCH', path, { plan: 'pro' })).status).toBe(404);
    }
  });

  it('the list is paged, newest first', async () => {
    const ids = [];
    for (let i = 0; i < 3; i += 1) ids.push(await world.newTenant(gateway));
    const first = (await call('GET', '/internal/tenants?per_page=2')).body;
    const second = (await call('GET', '/internal/tenants?per_page=2&page=2')).body;
    expect([first.meta.page, first.meta.per_page]).toEqual([1, 2]);
    expect(first.meta.total).toBeGreaterThanOrEqual(3);
    expect([...first.data, ...second.data].slice(0, 3).map(({ id }) => id)).toEqual(ids.toReversed());
  });

  it('the list is walked by cursor to its end, and holds what was changed since an instant', async () => {
    const ids: number[] = [];
    for (let i = 0; i < 3; i += 1) ids.push(await world.newTenant(gateway));
    const walked: number[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { data, meta }: AnsweredBody = (await call('GET', `/internal/tenants?per_page=2${cursor}`)).body;
      walked.push(...data.map(({ id }) => id));
      expect(meta.total).toBeGreaterThanOrEqual(walked.length);
      cursor = meta.next_cursor && `&cursor=${meta.next_cursor}`;
    }
    expect(walked.slice(0, 3)).toEqual(ids.toReversed());
    expect(walked).toEqual([...new Set(walked)].toSorted((a, b) => b - a));

    const changed = (await call('PATCH', `/internal/tenants/${ids[0]}`, { name: 'Renamed' })).body.data;
    const since = `updated_since=${changed.updated_at}`;
    await eventually(async () => {
      const { body } = await call('GET', `/internal/tenants?${since}`);
      expect([body.data.map(({ id }) => id), body.meta.total]).toEqual([[ids[0]], 1]);
    });
    expect((await call('GET', '/internal/tenants?sort=name')).status).toBe(422);
    expect((await call('GET', '/internal/tenants?cursor=x')).body.errors).toHaveProperty('cursor');
  });
});

describe('the usage of a tenant', () => {
  const pathOf = (tenantId: number) => `/internal/tenants/${tenantId}/usage`;

  it('shows the usage of both windows, and uses nothing of them', () =>
    withinOneMinute(async () => {
      const { tenantId, key } = await world.newCaller(gateway, { plan: 'starter' });
      for (let i = 0; i < 3; i += 1) await get(gateway, '/api/v1/customers', bearer(key));
      for (const caller of [adminOf(tenantId), operator]) {
        const { status, body } = await world.internal(gateway, caller, 'GET', pathOf(tenantId));
        expect([status, body.data]).toEqual([
          200,
          {
            plan: 'starter',
            minute: { limit: 30, used: 3, resets_at: expect.stringMatching(/:00\.000Z$/) },
            day: { limit: 5_000, used: 3, resets_at: expect.stringMatching(/T00:00:00\.000Z$/) },
          },
        ]);
      }
    }));

  it('404 for another tenant’s admin, and for a tenant that does not exist', async () => {
    const [own, other] = [await world.newTenant(gateway), await world.newTenant(gateway)];
    expect((await world.internal(gateway, adminOf(own), 'GET', pathOf(other))).status).toBe(404);
    expect((await world.internal(gateway, operator, 'GET', pathOf(2 ** 50))).status).toBe(404);
  });
});
