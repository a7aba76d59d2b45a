import { Redis } from 'ioredis';
import { engines, eventually, startRelay } from '../../../support/index.ts';
import {
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
let gateway: Gateway;
let redis: Redis;
beforeAll(async () => {
  world = await startGatewayWorld();
  gateway = await world.startGateway();
  redis = new Redis(engines().redisUrl);
});
afterAll(async () => {
  redis.disconnect();
  await world.stop();
});

const pathOf = (tenantId: number) => `/internal/tenants/${tenantId}/statistics/requests`;
const hoursOf = async (tenantId: number, on = gateway) => {
  const { status, body } = await world.internal(on, adminOf(tenantId), 'GET', pathOf(tenantId));
  expect(status).toBe(200);
  return body.data.hours;
};
const sumOf = (hours: { allowed: number; denied: number }[]) => {
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
  return [sum(hours.map(({ allowed }) => allowed)), sum(hours.map(({ denied }) => denied))];
};

it('counts what was let through and what was refused, hour by hour, the present one last', () =>
  withinOneMinute(async () => {
    const { tenantId, key } = await world.newCaller(gateway, { plan: 'starter' });
    for (let i = 0; i < 33; i += 1) await get(gateway, PATH, bearer(key));
    const hours = await hoursOf(tenantId);
    expect(hours).toHaveLength(24);
    expect(sumOf(hours)).toEqual([30, 3]);
    expect(sumOf(hours.slice(-2))).toEqual([30, 3]);
    const starts = hours.map(({ starts_at }) => Date.parse(starts_at));
    expect(new Set(starts.slice(1).map((start, index) => start - (starts[index] ?? 0)))).toEqual(
      new Set([3_600_000]),
    );
    expect(starts.at(-1)).toBe(Math.floor(Date.now() / 3_600_000) * 3_600_000);
  }));

it('adds up what all gateways have counted, also one that has stopped; and forgets after a day', async () => {
  const { tenantId, key } = await world.newCaller(gateway);
  const other = await world.startGateway();
  await get(gateway, PATH, bearer(key));
  await get(other, PATH, bearer(key));
  await other.stop();
  expect(sumOf(await hoursOf(tenantId))).toEqual([2, 0]);
  const keys = await redis.keys(`requests:{tenant-${tenantId}}:*`);
  for (const one of keys) expect(await redis.ttl(one)).toBeGreaterThan(24 * 3_600);
  expect(keys.length).toBeGreaterThan(0);
});

it('counts neither a suspended tenant’s requests nor those without a key', async () => {
  const { tenantId, key } = await world.newCaller(gateway);
  await world.internal(gateway, operator, 'PATCH', `/internal/tenants/${tenantId}`, { status: 'suspended' });
  expect((await get(gateway, PATH, bearer(key))).status).toBe(403);
  expect((await get(gateway, PATH)).status).toBe(401);
  expect(sumOf(await hoursOf(tenantId))).toEqual([0, 0]);
});

it('503 while Redis is away; what was counted meanwhile is there afterwards', async () => {
  const relay = await startRelay(engines().redisUrl);
  const cutOff = await world.startGateway({ REDIS_URL: relay.url, ...REDIS_MAY_GO });
  const { tenantId, key } = await world.newCaller(cutOff);
  await relay.cut();
  for (let i = 0; i < 3; i += 1) expect((await get(cutOff, PATH, bearer(key))).status).toBe(200);
  const asked = () => world.internal(cutOff, adminOf(tenantId), 'GET', pathOf(tenantId));
  expect((await asked()).status).toBe(503);
  await relay.restore();
  await eventually(async () => expect((await asked()).status).toBe(200));
  expect(sumOf(await hoursOf(tenantId, cutOff))).toEqual([3, 0]);
  await cutOff.stop();
  await relay.close();
});

it('404 for another tenant’s admin, and for a tenant that does not exist', async () => {
  const [own, other] = [await world.newTenant(gateway), await world.newTenant(gateway)];
  expect((await world.internal(gateway, adminOf(own), 'GET', pathOf(other))).status).toBe(404);
  expect((await world.internal(gateway, operator, 'GET', pathOf(2 ** 50))).status).toBe(404);
});
