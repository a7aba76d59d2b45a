import { randomUUID } from 'node:crypto';
import { type DomainEvent, PLAN_QUOTAS } from '@frontdesk/contracts';
import { createDatabase, type Database, sharedMigrations } from '@frontdesk/database';
import { createServiceClient, type ServiceClient } from '@frontdesk/service';
import { createTenantDirectory, type TenantDirectory, tenantsMigrations } from '@frontdesk/tenants';
import {
  createTestDatabase,
  eventually,
  freePort,
  identityKeys,
  logger,
  PATIENT_BOUNDS,
  type Receiver,
  startReceiver,
  uniqueTenantId,
} from '../../support/index.ts';

const migrations = [...sharedMigrations, ...tenantsMigrations];
const at = '2026-03-02T09:00:00Z';

const tenant = (id: number, timezone = 'Europe/Berlin') => ({
  id,
  name: 'Salon',
  plan: 'pro' as const,
  status: 'active' as const,
  timezone,
  country: 'DE',
  currency: 'EUR',
  created_at: at,
  updated_at: at,
});

const profile = (id: number, timezone = 'Europe/Berlin') => ({
  id,
  timezone,
  country: 'DE',
  currency: 'EUR',
  status: 'active',
  plan: 'pro',
  quotas: PLAN_QUOTAS.pro,
  statedQuotas: {},
  storage_full: false,
});

const tenantEvent = (id: number, version: number, timezone: string): DomainEvent => ({
  event_id: randomUUID(),
  type: version === 1 ? 'tenant.created' : 'tenant.updated',
  schema_version: 1,
  tenant_id: id,
  aggregate_id: id,
  aggregate_version: version,
  occurred_at: at,
  data: tenant(id, timezone),
});

describe('the tenant directory', () => {
  let testDatabase: Awaited<ReturnType<typeof createTestDatabase>>;
  let database: Database;
  let gatewayServer: Receiver;
  let gateway: ServiceClient;
  let directory: TenantDirectory;
  let tenantId: number;

  beforeAll(async () => {
    testDatabase = await createTestDatabase(migrations, 'tenants');
    database = createDatabase({ url: testDatabase.url, migrations, logger, bounds: PATIENT_BOUNDS });
    await database.start();
  });
  afterAll(async () => {
    await database.stop();
    await testDatabase.drop();
  });

  beforeEach(async () => {
    tenantId = uniqueTenantId();
    // Once it is closed, nobody else listens there.
    gatewayServer = await startReceiver({ port: await freePort() });
    gateway = await connect({ timeoutMs: 60_000 });
    directory = freshDirectory();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await gateway.stop();
    await gatewayServer.close();
  });

  const connect = async ({ timeoutMs }: { timeoutMs: number }) =>
    createServiceClient({
      baseUrl: gatewayServer.url,
      audience: 'gateway',
      signer: await identityKeys().signer('crm'),
      timeoutMs,
    });

  /** One with an empty cache, as another replica has. */
  const freshDirectory = () => createTenantDirectory({ database, gateway });

  const answer = (status: number, body: object) =>
    gatewayServer.respondWith(() => ({
      status,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }));
  const unknown = { success: false, code: 'not_found', message: 'Not found.', request_id: 'r' };

  it('knows a tenant from its events, without asking the gateway', async () => {
    await directory.apply([tenantEvent(tenantId, 1, 'Europe/Berlin')]);
    expect(await directory.find(tenantId)).toEqual(profile(tenantId));
    expect(gatewayServer.requests).toEqual([]);
  });

  it('remembers a tenant for five seconds, in which it sees no event that another replica took in', async () => {
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(now);
    await directory.apply([tenantEvent(tenantId, 1, 'Europe/Berlin')]);
    await directory.find(tenantId);
    await freshDirectory().apply([tenantEvent(tenantId, 2, 'Europe/Paris')]);
    expect(await directory.find(tenantId)).toEqual(profile(tenantId));
    clock.mockReturnValue(now + 5_001);
    await eventually(async () =>
      expect(await directory.find(tenantId)).toEqual(profile(tenantId, 'Europe/Paris')),
    );
  });

  it('keeps the highest version, whatever the order and however often events come', async () => {
    const [first, second, third] = [
      tenantEvent(tenantId, 1, 'Europe/Berlin'),
      tenantEvent(tenantId, 2, 'Europe/Paris'),
      tenantEvent(tenantId, 3, 'Europe/Rome'),
    ];
    await directory.apply([first, third, second, third]);
    await directory.apply([second, first]);
    expect(await freshDirectory().find(tenantId)).toEqual(profile(tenantId, 'Europe/Rome'));
  });

  it('keeps the quotas that an event names; one without any, as earlier releases send it, means the plan’s', async () => {
    const named = tenantEvent(tenantId, 1, 'Europe/Berlin');
    const raised = { ...PLAN_QUOTAS.pro, call_sources: 33 };
    await directory.apply([{ ...named, data: { ...named.data, quotas: raised } } as DomainEvent]);
    expect(await directory.find(tenantId)).toMatchObject({ quotas: raised, statedQuotas: raised });
    expect(await freshDirectory().find(tenantId)).toMatchObject({ quotas: raised });
    await directory.apply([tenantEvent(tenantId, 2, 'Europe/Berlin')]);
    expect(await directory.find(tenantId)).toMatchObject({ quotas: PLAN_QUOTAS.pro });
    const other = uniqueTenantId();
    answer(200, { success: true, data: { ...tenant(other), quotas: raised, version: 1 } });
    expect(await directory.find(other)).toMatchObject({ quotas: raised });
    expect(await freshDirectory().find(other)).toMatchObject({ quotas: raised });
  });

  it('takes many tenants at once, and no events at all', async () => {
    const ids = Array.from({ length: 50 }, uniqueTenantId);
    await directory.apply(ids.map((id) => tenantEvent(id, 1, 'Europe/Berlin')));
    await directory.apply([]);
    expect(await Promise.all(ids.map((id) => directory.find(id)))).toEqual(ids.map((id) => profile(id)));
  });

  it('asks the gateway for a tenant whose event has not come yet, once for callers of the same moment', async () => {
    answer(200, { success: true, data: { ...tenant(tenantId), version: 1 } });
    const found = await Promise.all([1, 2, 3].map(() => directory.find(tenantId)));
    expect(found).toEqual([profile(tenantId), profile(tenantId), profile(tenantId)]);
    expect(gatewayServer.requests.map(({ path }) => path)).toEqual([`/internal/tenants/${tenantId}`]);
  });

  it('stores what the gateway answered, and lets no older version win over it', async () => {
    answer(200, { success: true, data: { ...tenant(tenantId, 'Europe/Rome'), version: 3 } });
    await directory.find(tenantId);
    await directory.apply([tenantEvent(tenantId, 2, 'Europe/Paris')]);
    expect(await freshDirectory().find(tenantId)).toEqual(profile(tenantId, 'Europe/Rome'));
    expect(gatewayServer.requests).toHaveLength(1);
  });

  it('404: a tenant that nobody knows, and never remembers that', async () => {
    answer(404, unknown);
    await expect(directory.find(tenantId)).rejects.toMatchObject({
      code: 'not_found',
      message: 'Tenant not found.',
    });
    answer(200, { success: true, data: { ...tenant(tenantId), version: 1 } });
    expect(await directory.find(tenantId)).toEqual(profile(tenantId));
  });

  it('503: the gateway is away, or never answers', async () => {
    gatewayServer.respondWith(() => new Promise(() => {}));
    const impatient = await connect({ timeoutMs: 100 });
    const unavailable = { code: 'service_unavailable' };
    await expect(
      createTenantDirectory({ database, gateway: impatient }).find(tenantId),
    ).rejects.toMatchObject(unavailable);
    await impatient.stop();
    await gatewayServer.close();
    await expect(directory.find(tenantId)).rejects.toMatchObject(unavailable);
  });
});
