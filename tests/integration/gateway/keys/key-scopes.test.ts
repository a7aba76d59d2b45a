import { createHash } from 'node:crypto';
import {
  ALL_KEY_SCOPES,
  generateApiKey,
  IDENTITY_HEADER,
  keyUse,
  SCOPES_OF_EARLIER_KEYS,
  type Scope,
} from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { createIdentityVerifier } from '@frontdesk/service';
import { eventually, identityKeys } from '../../../support/index.ts';
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

beforeAll(async () => {
  world = await startGatewayWorld();
  gateways = await Promise.all([world.startGateway(), world.startGateway()]);
});
beforeEach(async () => {
  tenantId = await world.newTenant(gateways[0]);
  world.backend.requests.length = 0;
});
afterAll(() => world.stop());

const hence = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const keys = () => `/internal/tenants/${tenantId}/keys`;
const call = (method: string, path: string, body?: object, caller: Caller = adminOf(tenantId)) =>
  world.internal(gateways[0], caller, method, path, body);
const ask = (key: string, { on = 0, from = '198.51.100.7' }: { on?: 0 | 1; from?: string } = {}) =>
  get(gateways[on], '/api/v1/staff', { ...bearer(key), 'x-forwarded-for': from });
/** What the service is told of the latest request. */
async function told() {
  const verifier = await createIdentityVerifier({
    audience: 'scheduling',
    publicKeysFile: identityKeys().publicKeysFile,
  });
  const { scopes } = await verifier.verify(String(world.backend.requests.at(-1)?.headers[IDENTITY_HEADER]));
  return scopes;
}

/** A key of the release before: it names nothing that there was not then. */
const insertEarlier = systemSql<never, { tenantId: number; key: string }>(
  'test_earlier_key',
  `insert into api_keys (tenant_id, name, key_hash, last_four)
   values ($tenantId, 'Earlier', sha256(convert_to($key, 'UTF8')), right($key, 4))`,
);
const expire = systemSql<never, { id: number }>(
  'test_expire_key',
  `update api_keys set expires_at = now() - interval '1 second' where id = $id`,
);

describe('the scopes of a key', () => {
  it('go to the services with each request, and change on every gateway at once', async () => {
    const { id, key } = await world.newKey(gateways[0], tenantId, { scopes: ['staff:read', 'calls:read'] });
    for (const on of [0, 1] as const) {
      expect((await ask(key, { on })).status).toBe(200);
      expect(await told()).toEqual(new Set(['calls:read', 'staff:read']));
    }
    const changed = await call('PATCH', `${keys()}/${id}`, { scopes: ['staff:read'] });
    expect(changed.body.data).toMatchObject({ id, scopes: ['staff:read'] });
    for (const on of [0, 1] as const)
      await eventually(async () => {
        await ask(key, { on });
        expect(await told()).toEqual(new Set(['staff:read']));
      });
  });

  it('stay those of 0.1.0 for earlier keys, and for keys made without scopes', async () => {
    const { key } = await world.newKey(gateways[0], tenantId);
    await ask(key);
    expect(await told()).toEqual(new Set(SCOPES_OF_EARLIER_KEYS));
    const earlier = generateApiKey();
    await world.database.system.run(insertEarlier, { tenantId, key: earlier });
    expect((await ask(earlier)).status).toBe(200);
    expect(await told()).toEqual(new Set(SCOPES_OF_EARLIER_KEYS));
  });

  it('are no more than its maker has, also when it is changed or rolled', async () => {
    const withOnly = (...scopes: Scope[]): Caller => ({ ...adminOf(tenantId), scopes });
    const maker = withOnly('settings:keys', 'staff:read');
    const refused = await call(
      'POST',
      keys(),
      { name: 'X', scopes: ['staff:read', 'customers:erase'] },
      maker,
    );
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
    const made = await call('POST', keys(), { name: 'X', scopes: ['staff:read'] }, maker);
    expect(made.status).toBe(201);
    const { id } = made.body.data;
    expect((await call('PATCH', `${keys()}/${id}`, { scopes: [...ALL_KEY_SCOPES] }, maker)).status).toBe(403);

    const wide = await world.newKey(gateways[0], tenantId, { scopes: ['staff:read', 'customers:erase'] });
    expect((await call('POST', `${keys()}/${wide.id}/roll`, { hours: 1 }, maker)).status).toBe(403);
    const { id: bound } = await world.newKey(gateways[0], tenantId, {
      scopes: ['staff:read', 'customers:erase'],
      expires_at: hence(2),
      networks: ['203.0.113.0/24', '198.51.100.7'],
    });
    const change = (body: object) => call('PATCH', `${keys()}/${bound}`, body, maker);
    for (const wider of [
      { networks: null },
      { networks: ['203.0.113.0/24', '192.0.2.1'] },
      { expires_at: null },
      { expires_at: hence(3) },
    ]) {
      const { status, body } = await change(wider);
      expect([wider, status, body.data]).toEqual([wider, 403, { scope: 'customers:erase' }]);
    }
    // Taking away is not giving.
    for (const narrower of [{ name: 'Y' }, { networks: ['198.51.100.7'] }, { expires_at: hence(1) }])
      expect([narrower, (await change(narrower)).status]).toEqual([narrower, 200]);
    // What it may do from now on, they may do as well.
    expect((await change({ scopes: ['staff:read'], expires_at: null, networks: null })).status).toBe(200);
    const narrowed = await call('PATCH', `${keys()}/${wide.id}`, { scopes: ['staff:read'] }, maker);
    expect([narrowed.status, narrowed.body.data.scopes]).toEqual([200, ['staff:read']]);
  });
});

describe('the expiry of a key', () => {
  it('401 like any other once it has expired, on every gateway that has it in memory', async () => {
    const both = (key: string) => Promise.all(([0, 1] as const).map((on) => ask(key, { on })));
    const statusesOf = async (key: string) => (await both(key)).map(({ status }) => status);
    /** A key that is about to end, and that both have used before. A slow machine gets one that lives longer. */
    const makeEnding = async (seconds: number): Promise<{ id: number; key: string }> => {
      const made = await world.newKey(gateways[0], tenantId, { expires_at: hence(seconds / 3_600) });
      return (await statusesOf(made.key)).includes(401) ? makeEnding(2 * seconds) : made;
    };
    const { id, key } = await makeEnding(2);
    await eventually(async () => expect(await statusesOf(key)).toEqual([401, 401]));
    const unknown = await ask('fd_live_nobody');
    for (const { body, headers } of await both(key)) {
      expect([body.code, body.message]).toEqual([unknown.body.code, unknown.body.message]);
      expect(headers.get('www-authenticate')).toBe(unknown.headers.get('www-authenticate'));
    }
    const [listed] = (await call('GET', keys())).body.data;
    expect(listed).toMatchObject({ id, is_active: true });
  });

  it('both keys of a roll work until the old one expires; 422 where one of them is rolled before that', async () => {
    const networks = ['198.51.100.0/24'];
    const { id, key } = await world.newKey(gateways[0], tenantId, { scopes: ['staff:read'], networks });
    const rolled = await call('POST', `${keys()}/${id}/roll`, { hours: 2 });
    expect(rolled.status).toBe(201);
    expect(rolled.body.data).toMatchObject({
      name: 'Sync',
      scopes: ['staff:read'],
      networks,
      expires_at: null,
    });
    expect([(await ask(key)).status, (await ask(rolled.body.data.key)).status]).toEqual([200, 200]);
    const again = await call('POST', `${keys()}/${id}/roll`, { hours: 2 });
    expect([again.status, again.body.code]).toEqual([422, 'validation_failed']);
    const tooSoon = await call('POST', `${keys()}/${rolled.body.data.id}/roll`, { hours: 2 });
    expect(tooSoon.status).toBe(422);
    const longer = await call('PATCH', `${keys()}/${id}`, { expires_at: null });
    expect(longer.status).toBe(422);

    await world.database.system.run(expire, { id });
    const next = await call('POST', `${keys()}/${rolled.body.data.id}/roll`, { hours: 0 });
    expect(next.status).toBe(201);
    await eventually(async () =>
      expect(
        await Promise.all(
          [key, rolled.body.data.key, next.body.data.key].map(async (one) => (await ask(one)).status),
        ),
      ).toEqual([401, 401, 200]),
    );
  });

  it('a key that is rolled counts once against the quota, and can be rolled where that is full', async () => {
    tenantId = await world.newTenant(gateways[0], { plan: 'starter' });
    let last = { id: 0 };
    for (let made = 0; made < 10; made += 1) last = await world.newKey(gateways[0], tenantId);
    expect((await call('POST', keys(), { name: 'One more' })).body.code).toBe('quota_exceeded');
    expect((await call('POST', `${keys()}/${last.id}/roll`, { hours: 168 })).status).toBe(201);
    expect((await call('POST', keys(), { name: 'One more' })).body.code).toBe('quota_exceeded');
  });

  it('rolled twice at once, it becomes one other key', async () => {
    const { id } = await world.newKey(gateways[0], tenantId);
    const both = await Promise.all([1, 2].map(() => call('POST', `${keys()}/${id}/roll`, { hours: 1 })));
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 422]));
  });
});

describe('the networks of a key', () => {
  it.each([
    [['203.0.113.7'], '203.0.113.7', 200],
    [['203.0.113.7'], '203.0.113.8', 403],
    [['203.0.113.0/24', '2001:db8::/32'], '203.0.113.200', 200],
    [['203.0.113.0/24', '2001:db8::/32'], '2001:db8:1::9', 200],
    [['203.0.113.0/24', '2001:db8::/32'], '2001:db9::1', 403],
    [['0.0.0.0/0'], '203.0.113.8', 200],
    [['0.0.0.0/0'], '2001:db8::1', 403],
    [['::/0'], '2001:db8::1', 200],
    [['::/0'], '203.0.113.8', 403],
  ])('%j from %s: %i', async (networks, from, status) => {
    const { key } = await world.newKey(gateways[0], tenantId, { networks });
    const answer = await ask(key, { from });
    expect([answer.status, answer.body.code ?? null]).toEqual([
      status,
      status === 403 ? 'network_not_allowed' : null,
    ]);
  });

  it('are compared with the address that trusted proxies name, not with what the client says', async () => {
    const { key } = await world.newKey(gateways[0], tenantId, { networks: ['203.0.113.7'] });
    // The proxy appends the address that it sees.
    expect((await ask(key, { from: '203.0.113.7, 198.51.100.9' })).status).toBe(403);
    expect((await ask(key, { from: '198.51.100.9, 203.0.113.7' })).status).toBe(200);
  });

  it('refuse another address as a failed attempt, up to 429', async () => {
    const { key } = await world.newKey(gateways[0], tenantId, { networks: ['203.0.113.7'] });
    const statuses = new Set<number>();
    await eventually(async () => {
      statuses.add((await ask(key, { from: '192.0.2.77' })).status);
      expect(statuses).toContain(429);
    });
    expect(statuses).toEqual(new Set([403, 429]));
    expect((await ask(key, { from: '203.0.113.7' })).status).toBe(200);
  });
});

it('counts each request of a key under its UTC day', async () => {
  const { id, key } = await world.newKey(gateways[0], tenantId);
  for (let asked = 0; asked < 3; asked += 1) await ask(key);
  const today = new Date().toISOString().slice(0, 10);
  const use = await call('GET', `${keys()}/${id}/use`);
  const days = keyUse.parse(use.body.data);
  expect(days.reduce((sum, { requests }) => sum + requests, 0)).toBe(3);
  expect(days.map(({ day }) => day)).toContain(today);
  expect((await call('GET', `${keys()}/${id + 1_000_000}/use`)).status).toBe(404);
});

it('a key that leaked is found by its hash, and revoked', async () => {
  const { id, key } = await world.newKey(gateways[0], tenantId);
  const key_hash = createHash('sha256').update(key).digest('hex');
  expect((await call('POST', '/internal/keys/find', { key_hash })).status).toBe(403);
  const found = await call('POST', '/internal/keys/find', { key_hash }, operator);
  expect(found.body.data).toMatchObject({ id, tenant_id: tenantId, is_active: true });
  expect((await call('POST', `${keys()}/${id}/leaked`)).status).toBe(403);
  const answer = await call('POST', `${keys()}/${id}/leaked`, undefined, operator);
  expect(answer.body.data).toMatchObject({ id, is_active: false });
  expect((await ask(key)).status).toBe(401);
  const unknown = { key_hash: 'a'.repeat(64) };
  expect((await call('POST', '/internal/keys/find', unknown, operator)).status).toBe(404);
});

it('keys that expire within a week are listed for settings-ui itself, in portions', async () => {
  const make = (fields: object) => world.newKey(gateways[0], tenantId, fields);
  const soon = await make({ name: 'Soon', expires_at: hence(6 * 24) });
  for (const expires_at of [null, hence(8 * 24)]) await make({ expires_at });
  const revoked = await make({ expires_at: hence(1) });
  await call('POST', `${keys()}/${revoked.id}/revoke`);
  const rolled = await make({ expires_at: hence(2) });
  const { id: next } = (await call('POST', `${keys()}/${rolled.id}/roll`, { hours: 1 })).body.data;
  const list = (after: number, caller: Caller = { issuer: 'settings-ui', role: 'service' }) =>
    call('GET', `/internal/keys/expiring?after=${after}`, undefined, caller);
  const { status, body } = await list(0);
  expect(status).toBe(200);
  const own = body.data.filter((key) => (key as { tenant_id?: number }).tenant_id === tenantId);
  expect(own).toMatchObject([
    { id: soon.id, name: 'Soon' },
    { id: next, name: 'Sync' },
  ]);
  expect((await list(soon.id)).body.data.map(({ id }) => id)).toEqual([next]);
  expect((await list(0, adminOf(tenantId))).status).toBe(403);
  expect((await list(0, operator)).status).toBe(403);
});

it.each([
  ['scopes', 'staff:read'],
  ['scopes', []],
  ['scopes', ['staff:write']],
  ['scopes', ['settings:keys']],
  ['scopes', null],
  ['scopes', [1]],
  ['networks', '10.0.0.0/8'],
  ['networks', ['10.0.0.0/33']],
  ['networks', ['example.com']],
  ['networks', [null]],
  // It would be good nowhere, or everywhere.
  ['networks', []],
  ['networks', Array.from({ length: 21 }, (_, n) => `10.0.0.${n}`)],
  ['expires_at', '2020-01-01T00:00:00Z'],
  ['expires_at', 'tomorrow'],
  ['expires_at', 4_102_444_800],
])('422: %s can’t be %j', async (field, value) => {
  const { id } = await world.newKey(gateways[0], tenantId);
  for (const answer of [
    await call('POST', keys(), { name: 'X', [field]: value }),
    await call('PATCH', `${keys()}/${id}`, { [field]: value }),
  ]) {
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors ?? {})[0]).toMatch(new RegExp(`^${field}`));
  }
});
