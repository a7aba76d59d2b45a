import { engines, eventually, type Relay, startRelay } from '../../../support/index.ts';
import {
  type Answer,
  adminOf,
  bearer,
  type Gateway,
  type GatewayWorld,
  get,
  operator,
  REDIS_MAY_GO,
  startGatewayWorld,
  withinOneMinute,
} from '../gateway-world.ts';

const PATH = '/api/v1/customers';

let world: GatewayWorld;
let relay: Relay;
let gateway: Gateway;

beforeAll(async () => {
  world = await startGatewayWorld();
  relay = await startRelay(engines().redisUrl);
  gateway = await world.startGateway({
    REDIS_URL: relay.url,
    ...REDIS_MAY_GO,
    GATEWAY_REPLICAS: '3',
    // Long enough for a Redis that is there; what is about one that hangs waits for all of it.
    RATE_LIMIT_TIMEOUT_MS: '500',
  });
});
afterEach(() => relay.restore());
afterAll(async () => {
  await world.stop();
  await relay.close();
});

const scopeOf = ({ headers }: Answer) => headers.get('x-ratelimit-scope');
/** It may take many requests: where the share of the key's tenant matters afterwards, the key is another tenant's. */
const isShared = (key: string): Promise<Answer> =>
  eventually(async () => {
    const answer = await get(gateway, PATH, bearer(key));
    expect(scopeOf(answer)).toBeNull();
    return answer;
  });

it('requests flow on by this gateway’s share of the limits and say so, and by the shared count once Redis is back', () =>
  withinOneMinute(async () => {
    const { key: other } = await world.newCaller(gateway);
    const { key } = await world.newCaller(gateway, { plan: 'starter' });
    await relay.restore();
    await isShared(other);
    await relay.cut();
    const answers = await Promise.all(Array.from({ length: 15 }, () => get(gateway, PATH, bearer(key))));
    expect(answers.map(scopeOf)).toEqual(Array(15).fill('local'));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers[0]?.headers.get('ratelimit-policy')).toBe('"minute";q=10;w=60, "day";q=1666;w=86400');
    expect((await get(gateway, '/api/v1/unknown', {})).status).toBe(401);

    await relay.restore();
    await isShared(key);
  }));

it('gateways that hear each other share the limits, whatever GATEWAY_REPLICAS says', () =>
  withinOneMinute(async () => {
    // A run before this one, of the minute before, has left it cut: gateways that start would wait for it.
    await relay.restore();
    const env = { REDIS_URL: relay.url, ...REDIS_MAY_GO, RATE_LIMIT_TIMEOUT_MS: '500' };
    const [one] = await Promise.all([
      world.startGateway(env, { without: [] }),
      world.startGateway(env, { without: [] }),
    ]);
    const { key } = await world.newCaller(gateway, { plan: 'starter' });
    // Those of other tests may hear them, too.
    await eventually(async () => {
      await relay.restore();
      expect(scopeOf(await get(one, PATH, bearer(key)))).toBeNull();
      await relay.cut();
      const { headers } = await get(one, PATH, bearer(key));
      expect([scopeOf({ headers } as Answer), Number(headers.get('x-ratelimit-limit')) <= 15]).toEqual([
        'local',
        true,
      ]);
    });
  }));

it('a Redis that hangs delays one request for a moment, and none after it asks Redis at all', () =>
  withinOneMinute(async () => {
    await relay.restore();
    const { key: other } = await world.newCaller(gateway);
    const { tenantId, key } = await world.newCaller(gateway);
    // What the shared count says: Redis answers in order, so it has done by then what it was asked before. It counts nothing.
    const used = () =>
      eventually(async () => {
        const path = `/internal/tenants/${tenantId}/usage`;
        const { status, body } = await world.internal(gateway, operator, 'GET', path);
        expect(status).toBe(200);
        return (body.data as unknown as { minute: { used: number } }).minute.used;
      });
    await isShared(other);
    const before = await used();
    relay.hang();
    const answers = [];
    for (let i = 0; i < 10; i += 1) answers.push(await get(gateway, PATH, bearer(key)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(answers.map(scopeOf)).toEqual(Array(10).fill('local'));

    // Redis now does what it was asked meanwhile: it counts the first request, and no other.
    await relay.restore();
    expect((await used()) - before).toBeLessThanOrEqual(1);
  }));

it.each([
  ['revoked', 'is away', 'POST', '/revoke', () => relay.cut()],
  ['deleted', 'is away', 'DELETE', '', () => relay.cut()],
  ['revoked', 'hangs', 'POST', '/revoke', async () => relay.hang()],
])(
  'a key that is %s elsewhere is looked up again and refused, also while Redis %s',
  async (_what, _how, method, suffix, breakRedis) => {
    const elsewhere = await world.startGateway();
    const { tenantId, id, key } = await world.newCaller(gateway);
    const { key: other } = await world.newKey(gateway, tenantId);
    await isShared(key);
    await breakRedis();
    await eventually(async () => expect(scopeOf(await get(gateway, PATH, bearer(key)))).toBe('local'));
    const path = `/internal/tenants/${tenantId}/keys/${id}${suffix}`;
    expect((await world.internal(elsewhere, adminOf(tenantId), method, path)).status).toBe(200);
    await eventually(async () => expect((await get(gateway, PATH, bearer(key))).status).toBe(401));
    // 429 first where all the waiting has used up the tenant's share of this minute.
    await eventually(async () => expect((await get(gateway, PATH, bearer(other))).status).toBe(200));
  },
);

it('a tenant that is suspended elsewhere while Redis is away is looked up again and refused', async () => {
  const elsewhere = await world.startGateway();
  const { tenantId, key } = await world.newCaller(gateway);
  await isShared(key);
  await relay.cut();
  await eventually(async () => expect(scopeOf(await get(gateway, PATH, bearer(key)))).toBe('local'));
  await world.internal(elsewhere, operator, 'PATCH', `/internal/tenants/${tenantId}`, {
    status: 'suspended',
  });
  await eventually(async () => expect((await get(gateway, PATH, bearer(key))).status).toBe(403));
});

it('a revocation that could not be published is published when Redis is back', async () => {
  const elsewhere = await world.startGateway();
  const { tenantId, id, key } = await world.newCaller(gateway);
  expect((await get(elsewhere, PATH, bearer(key))).status).toBe(200);
  await relay.cut();
  const path = `/internal/tenants/${tenantId}/keys/${id}/revoke`;
  expect((await world.internal(gateway, adminOf(tenantId), 'POST', path)).status).toBe(200);
  expect((await get(gateway, PATH, bearer(key))).status).toBe(401);
  await relay.restore();
  await eventually(async () => expect((await get(elsewhere, PATH, bearer(key))).status).toBe(401));
});

it('a Redis that comes and goes costs no request its answer', async () => {
  const { key: other } = await world.newCaller(gateway);
  const { key } = await world.newCaller(gateway);
  await isShared(other);
  const statuses = new Set<number>();
  for (let i = 0; i < 5; i += 1) {
    await relay.cut();
    for (let n = 0; n < 5; n += 1) statuses.add((await get(gateway, PATH, bearer(key))).status);
    await relay.restore();
    for (let n = 0; n < 5; n += 1) statuses.add((await get(gateway, PATH, bearer(key))).status);
  }
  expect([...statuses]).toEqual([200]);
  await isShared(key);
});
