import { generateApiKey } from '@frontdesk/contracts';
import {
  adminOf,
  bearer,
  type Gateway,
  type GatewayWorld,
  get,
  operator,
  randomAddress,
  startGatewayWorld,
  withinOneMinute,
} from '../gateway-world.ts';

let world: GatewayWorld;
let gateway: Gateway;
let key: string;
let otherKey: string;
let revoked: string;
let deleted: string;
let tenantId: number;

beforeAll(async () => {
  world = await startGatewayWorld();
  gateway = await world.startGateway();
  ({ key, tenantId } = await world.newCaller(gateway));
  ({ key: otherKey } = await world.newKey(gateway, tenantId));
  const [first, second] = await Promise.all([
    world.newKey(gateway, tenantId),
    world.newKey(gateway, tenantId),
  ]);
  revoked = first.key;
  deleted = second.key;
  const keys = `/internal/tenants/${tenantId}/keys`;
  await world.internal(gateway, adminOf(tenantId), 'POST', `${keys}/${first.id}/revoke`);
  await world.internal(gateway, adminOf(tenantId), 'DELETE', `${keys}/${second.id}`);
});
afterAll(() => world.stop());

const PATH = '/api/v1/customers';

describe('a valid key lets the request through', () => {
  it.each([
    ['as a bearer token', PATH, () => bearer(key)],
    ['as a bearer token, whatever the case of the scheme', PATH, () => ({ authorization: `bearer ${key}` })],
    ['in X-API-Key', PATH, () => ({ 'x-api-key': key })],
    [
      'in X-API-Key, beside someone else’s Basic credentials',
      PATH,
      () => ({ 'x-api-key': key, authorization: 'Basic YTpi' }),
    ],
    [
      'in X-API-Key, beside someone else’s bearer token',
      PATH,
      () => ({ 'x-api-key': key, authorization: 'Bearer eyJhbGci' }),
    ],
    ['in two places at once, when it is the same', PATH, () => ({ 'x-api-key': key, ...bearer(key) })],
  ])('%s', async (_case, path, headers) => {
    expect((await get(gateway, path, headers())).status).toBe(200);
  });

  it.each([
    ['in the query', (own: string) => `api_key=${own}`],
    ['in the query, its name encoded', (own: string) => `api%5fkey=${own}`],
    ['in the query, beside other parameters', (own: string) => `page=2&api_key=${own}&per_page=5`],
  ])('%s', async (_case, query) => {
    expect((await get(gateway, `${PATH}?${query(key)}`)).status).toBe(200);
  });
});

describe('401, one identical body', () => {
  it.each([
    ['no key', PATH, () => ({})],
    ['an empty bearer token', PATH, () => ({ authorization: 'Bearer ' })],
    ['the key without a scheme', PATH, () => ({ authorization: key })],
    ['a malformed key', PATH, () => bearer('fd_live_nonsense')],
    [
      'a key with a wrong checksum',
      PATH,
      () => bearer(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`),
    ],
    ['a well-formed key that nobody has', PATH, () => bearer(generateApiKey())],
    ['a revoked key', PATH, () => bearer(revoked)],
    ['a deleted key', PATH, () => bearer(deleted)],
    ['two different keys in two places', PATH, () => ({ 'x-api-key': key, ...bearer(otherKey) })],
    ['X-API-Key twice', PATH, () => ({ 'x-api-key': `${key}, ${otherKey}` })],
    ['a key in a cookie', PATH, () => ({ cookie: `api_key=${key}` })],
    ['no key on an unknown path', '/api/v1/unknown', () => ({})],
  ])('%s', async (_case, path, headers) => {
    const { status, headers: answered, body } = await get(gateway, path, headers());
    expect(status).toBe(401);
    expect(answered.get('www-authenticate')).toBe('Bearer');
    expect(answered.get('x-ratelimit-limit')).toBeNull();
    const { request_id, ...rest } = body;
    expect(request_id).toBe(answered.get('x-request-id'));
    expect(rest).toEqual({ success: false, code: 'unauthorized', message: 'A valid API key is required.' });
  });

  it('two different keys in the query', async () => {
    expect((await get(gateway, `${PATH}?api_key=${key}&api%5Fkey=${otherKey}`)).status).toBe(401);
  });
});

it('404 on an unknown path, with a key', async () => {
  const { status, body } = await get(gateway, '/api/v1/unknown', bearer(key));
  expect([status, body.code]).toEqual([404, 'not_found']);
});

it('403 for a suspended tenant, with its windows untouched, until it is active again', async () => {
  const caller = await world.newCaller(gateway);
  const path = `/internal/tenants/${caller.tenantId}`;
  await world.internal(gateway, operator, 'PATCH', path, { status: 'suspended' });
  const refused = await get(gateway, PATH, bearer(caller.key));
  const again = await get(gateway, PATH, bearer(caller.key));
  expect([refused.status, refused.body.code]).toEqual([403, 'tenant_suspended']);
  expect(again.headers.get('x-ratelimit-remaining')).toBe('500');
  await world.internal(gateway, operator, 'PATCH', path, { status: 'active' });
  expect((await get(gateway, PATH, bearer(caller.key))).status).toBe(200);
});

it('429 after 60 failed keys in a minute from one address; a valid key is let through from there all the same', () =>
  withinOneMinute(async () => {
    const from = { 'x-forwarded-for': randomAddress() };
    const answers = await Promise.all(Array.from({ length: 70 }, () => get(gateway, PATH, from)));
    const countOf = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    expect([countOf(401), countOf(429)]).toEqual([60, 10]);

    const limited = await get(gateway, PATH, from);
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await get(gateway, PATH, { ...from, ...bearer(key) })).status).toBe(200);
    expect((await get(gateway, PATH)).status).toBe(401);
  }));
