import { type EventEnvelope, PLAN_QUOTAS } from '@frontdesk/contracts';
import { tenantSql } from '@frontdesk/database';
import { adminOf, type Gateway, type GatewayWorld, operator, startGatewayWorld } from '../gateway-world.ts';

let world: GatewayWorld;
let gateway: Gateway;

beforeAll(async () => {
  world = await startGatewayWorld();
  gateway = await world.startGateway();
});
afterAll(() => world.stop());

const call = (method: string, path: string, body?: object) =>
  world.internal(gateway, operator, method, `/internal/tenants/${path}`, body);
const events = tenantSql<{ envelope: EventEnvelope }>(
  'test_quota_events',
  'select envelope from outbox where tenant_id = $tenantId order by id',
);
const latestEvent = async (id: number) =>
  (await world.database.forTenant(id).many(events)).at(-1)?.envelope as EventEnvelope;

const newKeys = (tenantId: number, count: number) =>
  Promise.all(Array.from({ length: count }, () => call('POST', `${tenantId}/keys`, { name: 'Sync' })));
const statusesOf = (answers: { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

describe('quotas of a tenant', () => {
  it('are its plan’s, in the tenant’s record and events', async () => {
    const id = await world.newTenant(gateway, { plan: 'starter' });
    expect((await call('GET', `${id}`)).body.data).toMatchObject({ quotas: PLAN_QUOTAS.starter });
    expect(await latestEvent(id)).toMatchObject({ data: { quotas: PLAN_QUOTAS.starter } });
    await call('PATCH', `${id}`, { plan: 'pro' });
    expect(await latestEvent(id)).toMatchObject({ aggregate_version: 2, data: { quotas: PLAN_QUOTAS.pro } });
  });

  it('can be raised, and taken back; the plan’s count where it allows more', async () => {
    const id = await world.newTenant(gateway, { plan: 'starter' });
    const raised = { ...PLAN_QUOTAS.starter, call_sources: 12, staff: 150 };
    const answer = await call('PATCH', `${id}`, { quotas: { call_sources: 12, staff: 150 } });
    expect([answer.status, answer.body.data]).toEqual([200, expect.objectContaining({ quotas: raised })]);
    expect(await latestEvent(id)).toMatchObject({ aggregate_version: 2, data: { quotas: raised } });
    // Saying what is so already changes nothing.
    await call('PATCH', `${id}`, { quotas: { call_sources: 12 } });
    expect(await latestEvent(id)).toMatchObject({ aggregate_version: 2 });

    await call('PATCH', `${id}`, { plan: 'pro' });
    expect((await call('GET', `${id}`)).body.data).toMatchObject({
      quotas: { ...PLAN_QUOTAS.pro, staff: 150 },
    });
    await call('PATCH', `${id}`, { plan: 'starter', quotas: { staff: null } });
    expect((await call('GET', `${id}`)).body.data).toMatchObject({
      quotas: { ...PLAN_QUOTAS.starter, call_sources: 12 },
    });
  });

  it('422: none goes below the plan’s, and none is anything but a whole number', async () => {
    const id = await world.newTenant(gateway, { plan: 'pro' });
    const lower = await call('PATCH', `${id}`, { quotas: { staff: 99 } });
    expect([lower.status, lower.body.errors]).toEqual([422, { staff: ['The plan pro allows 100 already.'] }]);
    for (const staff of ['150', 150.5, -1, 1e16, {}, [], true])
      expect([staff, (await call('PATCH', `${id}`, { quotas: { staff } })).status]).toEqual([staff, 422]);
    expect((await call('GET', `${id}`)).body.data).toMatchObject({ quotas: PLAN_QUOTAS.pro });
  });

  it('are not for a business’s own admins to change', async () => {
    const id = await world.newTenant(gateway, { plan: 'pro' });
    const body = { name: 'Salon', quotas: { staff: 150 } };
    await world.internal(gateway, adminOf(id), 'PATCH', `/internal/tenants/${id}/profile`, body);
    const asAdmin = await world.internal(gateway, adminOf(id), 'PATCH', `/internal/tenants/${id}`, body);
    expect(asAdmin.status).toBe(403);
    expect((await call('GET', `${id}`)).body.data).toMatchObject({ quotas: PLAN_QUOTAS.pro });
  });
});

describe('API keys', () => {
  it('422: of twenty made at once for the last free place one is made', async () => {
    const id = await world.newTenant(gateway, { plan: 'starter' });
    await newKeys(id, 9);
    const answers = await newKeys(id, 20);
    expect(statusesOf(answers)).toEqual([201, ...Array.from({ length: 19 }, () => 422)]);
    expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({
      code: 'quota_exceeded',
      message: 'Your plan allows 10 API keys, and there are 10.',
    });
    expect((await call('GET', `${id}/quota-usage`)).body.data).toEqual({ api_keys: 10 });
  });

  it('that are revoked or deleted no longer count; a raised quota applies at once', async () => {
    const id = await world.newTenant(gateway, { plan: 'starter' });
    const [first, second] = await newKeys(id, 10);
    await call('POST', `${id}/keys/${first?.body.data.id}/revoke`);
    await call('DELETE', `${id}/keys/${second?.body.data.id}`);
    expect(statusesOf(await newKeys(id, 3))).toEqual([201, 201, 422]);
    await call('PATCH', `${id}`, { quotas: { api_keys: 11 } });
    expect(statusesOf(await newKeys(id, 2))).toEqual([201, 422]);
  });

  it('beyond a smaller plan stay, and can be revoked and deleted', async () => {
    const id = await world.newTenant(gateway, { plan: 'pro' });
    const [first, second] = await newKeys(id, 12);
    await call('PATCH', `${id}`, { plan: 'starter' });
    const refused = await call('POST', `${id}/keys`, { name: 'Sync' });
    expect(refused.body.message).toBe('Your plan allows 10 API keys, and there are 12.');
    expect((await call('POST', `${id}/keys/${first?.body.data.id}/revoke`)).status).toBe(200);
    expect((await call('DELETE', `${id}/keys/${second?.body.data.id}`)).status).toBe(200);
    expect((await call('GET', `${id}/keys`)).body.data).toHaveLength(11);
    expect(statusesOf(await newKeys(id, 1))).toEqual([422]);
  });

  it('422: revoked ones are not kept without end', async () => {
    const id = await world.newTenant(gateway, { plan: 'starter' });
    const fill = tenantSql<never>(
      'test_revoked_keys',
      `insert into api_keys (tenant_id, name, key_hash, last_four, is_active)
       select $tenantId::bigint, 'Sync', sha256(convert_to(concat('tenant_id ', $tenantId, ' ', n), 'utf8')), 'abcd', false
       from generate_series(1, 1000) n`,
    );
    await world.database.forTenant(id).run(fill);
    const { status, body } = await call('POST', `${id}/keys`, { name: 'Sync' });
    expect([status, body.code, body.message]).toEqual([
      422,
      'quota_exceeded',
      'There are 1000 revoked, expired or replaced API keys: delete some of them first.',
    ]);
  });
});
