import { systemSql } from '@frontdesk/database';
import { eventually } from '../../../support/index.ts';
import {
  adminOf,
  bearer,
  type Caller,
  type Gateway,
  type GatewayWorld,
  get,
  operator,
  startGatewayWorld,
} from '../gateway-world.ts';

let world: GatewayWorld;
let gateways: [Gateway, Gateway];
let tenantId: number;
let neighbour: { tenantId: number; id: number; key: string };

beforeAll(async () => {
  world = await startGatewayWorld();
  gateways = await Promise.all([world.startGateway(), world.startGateway()]);
  tenantId = await world.newTenant(gateways[0]);
  neighbour = await world.newCaller(gateways[0]);
});
afterAll(() => world.stop());

const call = (caller: Caller, method: string, path: string, body?: object) =>
  world.internal(gateways[0], caller, method, path, body);
const keysOf = (id: number) => `/internal/tenants/${id}/keys`;
const statusOn = async (gateway: Gateway, key: string) =>
  (await get(gateway, '/api/v1/staff', bearer(key))).status;

/** What a gateway that was killed between its commit and its announcement leaves behind. */
const deleteSilently = systemSql<never, { id: number }>(
  'test_delete_silently',
  'delete from api_keys where id = $id',
);

it('a new key works on every gateway at once, also where it was tried too early', async () => {
  const { status, body } = await call(adminOf(tenantId), 'POST', keysOf(tenantId), { name: 'Records sync' });
  expect(status).toBe(201);
  expect(body.data).toMatchObject({ name: 'Records sync', is_active: true, last_used_at: null });
  expect(body.data.last_four).toBe(body.data.key.slice(-4));
  expect(await Promise.all(gateways.map((gateway) => statusOn(gateway, body.data.key)))).toEqual([200, 200]);
});

it.each([
  ['revoked', 'POST', '/revoke'],
  ['deleted', 'DELETE', ''],
])(
  'a key that is %s is refused by every gateway as soon as it hears of it',
  async (_what, method, suffix) => {
    const { id, key } = await world.newKey(gateways[0], tenantId);
    expect(await Promise.all(gateways.map((gateway) => statusOn(gateway, key)))).toEqual([200, 200]);
    const { status } = await call(adminOf(tenantId), method, `${keysOf(tenantId)}/${id}${suffix}`);
    expect(status).toBe(200);
    expect(await statusOn(gateways[0], key)).toBe(401);
    await eventually(async () => expect(await statusOn(gateways[1], key)).toBe(401));
  },
);

it.each([
  ['POST', '/revoke'],
  ['DELETE', ''],
])(
  '%s …%s of a key that went unannounced answers 404, and every gateway refuses the key as soon as it hears of it',
  async (method, suffix) => {
    const { id, key } = await world.newKey(gateways[0], tenantId);
    expect(await Promise.all(gateways.map((gateway) => statusOn(gateway, key)))).toEqual([200, 200]);
    await world.database.system.run(deleteSilently, { id });
    const { status } = await call(adminOf(tenantId), method, `${keysOf(tenantId)}/${id}${suffix}`);
    expect(status).toBe(404);
    await eventually(async () => {
      const answers = await Promise.all(gateways.map((gateway) => statusOn(gateway, key)));
      expect(answers).toEqual([401, 401]);
    });
  },
);

it('revoking keeps the key listed as inactive, deleting removes it; the plaintext is never shown again', async () => {
  const { id, key } = await world.newKey(gateways[0], tenantId);
  const path = `${keysOf(tenantId)}/${id}`;
  const revoked = await call(adminOf(tenantId), 'POST', `${path}/revoke`);
  expect(revoked.body.data).toMatchObject({ id, is_active: false });
  expect((await call(adminOf(tenantId), 'POST', `${path}/revoke`)).status).toBe(200);
  const listed = await call(adminOf(tenantId), 'GET', keysOf(tenantId));
  expect(listed.body.data).toContainEqual(revoked.body.data);
  expect(JSON.stringify(listed.body)).not.toContain(key);
  expect((await call(adminOf(tenantId), 'DELETE', path)).body.data).toEqual({ id, deleted: true });
  expect((await call(adminOf(tenantId), 'DELETE', path)).body.message).toBe('API key not found.');
});

it('403: the admin of a suspended tenant changes neither keys nor profile, and sees them', async () => {
  const suspended = await world.newCaller(gateways[0]);
  const path = `/internal/tenants/${suspended.tenantId}`;
  const admin = adminOf(suspended.tenantId);
  const setStatus = (status: string) => call(operator, 'PATCH', path, { status });
  await setStatus('suspended');
  const answers = await Promise.all([
    call(admin, 'POST', `${path}/keys`, { name: 'New' }),
    call(admin, 'POST', `${path}/keys/${suspended.id}/revoke`),
    call(admin, 'DELETE', `${path}/keys/${suspended.id}`),
    call(admin, 'PATCH', `${path}/profile`, { name: 'Renamed' }),
  ]);
  for (const { status, body } of answers) expect([status, body.code]).toEqual([403, 'tenant_suspended']);
  expect((await call(admin, 'GET', `${path}/keys`)).body.data).toMatchObject([{ id: suspended.id }]);
  await setStatus('active');
  expect((await call(admin, 'POST', `${path}/keys`, { name: 'New' })).status).toBe(201);
});

it('another tenant’s keys behave exactly like keys that don’t exist', async () => {
  const admin = adminOf(tenantId);
  const answers = await Promise.all([
    call(admin, 'GET', keysOf(neighbour.tenantId)),
    call(admin, 'POST', keysOf(neighbour.tenantId), { name: 'Mine now' }),
    call(admin, 'POST', `${keysOf(neighbour.tenantId)}/${neighbour.id}/revoke`),
    call(admin, 'DELETE', `${keysOf(neighbour.tenantId)}/${neighbour.id}`),
    call(admin, 'POST', `${keysOf(tenantId)}/${neighbour.id}/revoke`),
    call(admin, 'DELETE', `${keysOf(tenantId)}/${neighbour.id}`),
    call(admin, 'GET', `${keysOf(tenantId)}/${neighbour.id}`),
    call(admin, 'PATCH', `${keysOf(tenantId)}/${neighbour.id}`, { name: 'Mine now' }),
    call(admin, 'GET', `/internal/tenants/${neighbour.tenantId}`),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(404));
  expect(await statusOn(gateways[0], neighbour.key)).toBe(200);
});

it('only operators and the tenant’s own admin manage keys; services read tenants only', async () => {
  const service: Caller = { issuer: 'crm', role: 'service' };
  const integrator: Caller = { issuer: 'gateway', role: 'integrator', tenantId };
  const statuses = await Promise.all([
    call(service, 'GET', `/internal/tenants/${tenantId}`),
    call(service, 'GET', keysOf(tenantId)),
    call(service, 'GET', '/internal/tenants'),
    call(adminOf(tenantId), 'GET', '/internal/tenants'),
    call(adminOf(tenantId), 'PATCH', `/internal/tenants/${tenantId}`, { plan: 'enterprise' }),
    call(integrator, 'GET', keysOf(tenantId)),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([200, 403, 403, 403, 403, 403]);
});

it('404 for keys of a tenant that doesn’t exist, 422 for one without a name', async () => {
  for (const [method, body] of [['GET'], ['POST', { name: 'Lost' }]] as const) {
    expect((await call(operator, method, keysOf(tenantId + 1_000_000), body)).body.message).toBe(
      'Tenant not found.',
    );
  }
  const nameless = await call(operator, 'POST', keysOf(tenantId), { name: ' ' });
  expect([nameless.status, nameless.body.errors]).toEqual([422, { name: ['The name field is required.'] }]);
});

it('no key is in the database, in whatever column', async () => {
  const { key } = await world.newKey(gateways[0], tenantId);
  await statusOn(gateways[0], key);
  const everything = systemSql<{ text: string }>(
    'test_everything',
    `select row_to_json(api_keys)::text as text from api_keys union all select row_to_json(outbox)::text from outbox`,
  );
  const rows = await world.database.system.many(everything);
  expect(rows.map(({ text }) => text).join()).not.toContain(key.slice(8, 40));
});
