import { systemSql } from '@frontdesk/database';
import {
  adminOf,
  bearer,
  type Gateway,
  type GatewayWorld,
  get,
  operator,
  startGatewayWorld,
} from '../gateway-world.ts';

let world: GatewayWorld;
let gateways: [Gateway, Gateway];
beforeAll(async () => {
  world = await startGatewayWorld();
  gateways = await Promise.all([world.startGateway(), world.startGateway()]);
});
afterAll(() => world.stop());

/** As a process of the release before does it, which knows of no versions. */
const insertEarlier = systemSql<{ id: number }, { tenantId: number }>(
  'test_unversioned_key',
  `insert into api_keys (tenant_id, name, key_hash, last_four)
   values ($tenantId, 'Earlier', sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'last') returning id`,
);

/** A key of a new tenant, and what its admin asks of it; `etag` is that of the answer. */
async function newKey() {
  const { tenantId, id, key } = await world.newCaller(gateways[0]);
  const path = `/internal/tenants/${tenantId}/keys/${id}`;
  const call = async (method: string, verb = '', body?: object, ifMatch?: string, on: 0 | 1 = 0) => {
    const headers: Record<string, string> = ifMatch === undefined ? {} : { 'if-match': ifMatch };
    const answer = await world.internal(
      gateways[on],
      adminOf(tenantId),
      method,
      `${path}${verb}`,
      body,
      headers,
    );
    return { ...answer, etag: answer.headers.get('etag') };
  };
  return { tenantId, id, key, path, call };
}

const IN_A_YEAR = new Date(Date.now() + 31_536_000_000).toISOString();

it('each change of a key makes a new version; what changes nothing, and its use, make none', async () => {
  const { key, call } = await newKey();
  const first = await call('GET');
  expect([first.status, first.etag]).toEqual([200, '"1"']);
  const changes: object[] = [
    { name: 'Till' },
    { scopes: ['staff:read', 'services:read'] },
    { expires_at: IN_A_YEAR },
    { networks: ['127.0.0.0/8', '198.51.100.0/24'] },
    { name: 'Till 2', networks: null },
  ];
  for (const [index, change] of changes.entries()) {
    const changed = await call('PATCH', '', change);
    expect([change, changed.status, changed.etag]).toEqual([change, 200, `"${index + 2}"`]);
    const again = await call('PATCH', '', change);
    expect([change, again.status, again.etag]).toEqual([change, 200, `"${index + 2}"`]);
  }
  expect((await get(gateways[0], '/api/v1/staff', bearer(key))).status).toBe(200);
  expect((await call('GET', '/use')).body.data).toMatchObject([{ requests: 1 }]);
  expect((await call('GET')).etag).toBe('"6"');
  expect((await call('POST', '/roll', { hours: 1 })).status).toBe(201);
  expect((await call('GET')).etag).toBe('"7"');
  expect((await call('POST', '/revoke')).etag).toBe('"8"');
});

it('412 to who has seen an earlier version, and nothing is changed; the failure names the present one', async () => {
  const { path, call } = await newKey();
  const { etag } = await call('GET');
  expect((await call('PATCH', '', { name: 'Till' }, String(etag))).status).toBe(200);
  const late = await call('PATCH', '', { scopes: ['staff:read'] }, String(etag));
  expect([late.status, late.body.code, late.etag]).toEqual([412, 'precondition_failed', '"2"']);
  expect((await call('GET')).body.data).toMatchObject({ name: 'Till' });
  expect((await call('GET')).body.data.scopes.length).toBeGreaterThan(1);
  // Whoever has seen none changes whatever is there, as operators do.
  const unseen = await world.internal(gateways[0], operator, 'PATCH', path, { name: 'Desk' });
  expect([unseen.status, unseen.body.data]).toEqual([200, expect.objectContaining({ name: 'Desk' })]);
  expect((await call('PATCH', '', { name: 'X' }, '"2"')).status).toBe(412);
  expect((await call('PATCH', '', { name: 'X' }, '"3"')).status).toBe(200);
});

it('of two who have seen the same version one wins, on whatever gateway', async () => {
  const { call } = await newKey();
  for (let round = 1; round <= 10; round += 1) {
    const { etag } = await call('GET');
    const answers = await Promise.all(
      ([0, 1] as const).map((on) => call('PATCH', '', { name: `Round ${round} by ${on}` }, String(etag), on)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
    const winner = answers.find(({ status }) => status === 200);
    expect((await call('GET')).body.data).toEqual(winner?.body.data);
  }
});

it('a roll and a revocation are changes too: who has seen the key before them gets 412, or 404 where it is gone', async () => {
  const { call } = await newKey();
  await call('POST', '/roll', { hours: 1 });
  expect((await call('PATCH', '', { name: 'Till' }, '"1"')).status).toBe(412);
  expect((await call('PATCH', '', { name: 'Till' }, '"2"')).status).toBe(200);
  await call('POST', '/revoke');
  expect((await call('PATCH', '', { name: 'X' }, '"3"')).status).toBe(404);
  expect((await call('GET')).body.data).toMatchObject({ name: 'Till', is_active: false });
});

it('a key that a process of the release before has made has a version like others', async () => {
  const { tenantId } = await newKey();
  const made = await world.database.system.one(insertEarlier, { tenantId });
  const path = `/internal/tenants/${tenantId}/keys/${made.id}`;
  const change = (name: string) =>
    world.internal(gateways[0], adminOf(tenantId), 'PATCH', path, { name }, { 'if-match': '"1"' });
  expect((await change('Renamed')).headers.get('etag')).toBe('"2"');
  expect((await change('Again')).status).toBe(412);
});
