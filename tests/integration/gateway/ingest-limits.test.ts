import { randomBytes } from 'node:crypto';
import { ingestPath } from '@frontdesk/contracts';
import { engines, type Relay, startRelay } from '../../support/index.ts';
import {
  type Answer,
  bearer,
  type Gateway,
  type GatewayWorld,
  get,
  REDIS_MAY_GO,
  randomAddress,
  send,
  startGatewayWorld,
  withinOneMinute,
} from './gateway-world.ts';

const PER_MINUTE = 20;

let world: GatewayWorld;
let relay: Relay;
let gateways: [Gateway, Gateway];

beforeAll(async () => {
  world = await startGatewayWorld();
  relay = await startRelay(engines().redisUrl);
  const env = {
    REDIS_URL: relay.url,
    ...REDIS_MAY_GO,
    INGEST_RATE_PER_MINUTE: String(PER_MINUTE),
    GATEWAY_REPLICAS: '2',
  };
  gateways = [await world.startGateway(env), await world.startGateway(env)];
});
afterAll(async () => {
  await world.stop();
  await relay.close();
});
afterEach(() => relay.restore());
/** What each test begins with, also when it begins again. */
const withinOneMinuteOfGoodMessages = (test: () => Promise<void>) =>
  withinOneMinute(() => {
    world.backend.requests.length = 0;
    world.backend.respondWith(() => ({ status: 202, body: '{}' }));
    return test();
  });

const newSource = () => ingestPath(randomBytes(20).toString('hex'));
const post = (path: string, from = randomAddress(), gateway = gateways[0]) =>
  send(`${gateway.url}${path}`, { method: 'POST', headers: { 'x-forwarded-for': from }, body: '{}' });
const countOf = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;
const times = <Result>(count: number, work: (nth: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, nth) => work(nth)));

it('429 with Retry-After above a source’s rate, over all gateways and whatever the addresses; others go on', () =>
  withinOneMinuteOfGoodMessages(async () => {
    const source = newSource();
    const answers = await times(50, (nth) => post(source, randomAddress(), gateways[nth % 2]));
    expect([countOf(answers, 202), countOf(answers, 429)]).toEqual([PER_MINUTE, 30]);
    expect(world.backend.requests).toHaveLength(PER_MINUTE);
    const refused = answers.find(({ status }) => status === 429) as Answer;
    expect(refused.body).toMatchObject({ success: false, code: 'rate_limited' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await post(newSource())).status).toBe(202);
  }));

it.each([
  ['a wrong signature', 401],
  ['an unknown source', 404],
])('429 after 60 messages a minute from one address with %s; good ones still pass', (_case, status) =>
  withinOneMinuteOfGoodMessages(async () => {
    const from = randomAddress();
    world.backend.respondWith(() => ({ status, body: JSON.stringify({ success: false }) }));
    const answers = await times(80, () => post(newSource(), from));
    expect([countOf(answers, status), countOf(answers, 429)]).toEqual([60, 20]);
    const refused = answers.find((answer) => answer.status === 429) as Answer;
    expect(refused.body.code).toBe('rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

    expect((await post(newSource())).status).toBe(status);
    expect((await post('/ingest/nowhere', from)).status).toBe(429);
    world.backend.respondWith(() => ({ status: 202, body: '{}' }));
    expect((await post(newSource(), from)).status).toBe(202);
  }),
);

it('429 for an address that tries addresses out, without asking calls; sources that are known hear nothing of it', () =>
  withinOneMinuteOfGoodMessages(async () => {
    const from = randomAddress();
    const known = newSource();
    expect((await post(known, from)).status).toBe(202);
    world.backend.respondWith(() => ({ status: 404, body: '{}' }));
    await times(61, () => post(newSource(), from));
    // What may still be of a source that is new, or has slipped from memory, comes to as much as one source may send.
    await times(PER_MINUTE, () => post(newSource(), from));
    world.backend.requests.length = 0;
    const shed = await times(10, () => post(newSource(), from));
    expect([countOf(shed, 429), world.backend.requests]).toEqual([10, []]);
    expect(Number(shed[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    world.backend.respondWith(() => ({ status: 202, body: '{}' }));
    expect((await post(newSource())).status).toBe(202);
    expect((await post(known, from)).status).toBe(202);
  }));

it('takes nothing of a tenant’s requests, nor of the failed keys of an address', () =>
  withinOneMinuteOfGoodMessages(async () => {
    const from = { 'x-forwarded-for': randomAddress() };
    const { key } = await world.newCaller(gateways[0]);
    world.backend.respondWith(() => ({ status: 401, body: '{}' }));
    await times(70, () => post(newSource(), from['x-forwarded-for']));
    world.backend.respondWith(() => ({ status: 200, body: '{}' }));
    const first = await get(gateways[0], '/api/v1/calls', bearer(key));
    expect([first.status, first.headers.get('x-ratelimit-remaining')]).toEqual([200, '499']);
    expect((await get(gateways[0], '/api/v1/calls', from)).status).toBe(401);
  }));

it('goes on by this gateway’s share of the rate while Redis is away', () =>
  withinOneMinuteOfGoodMessages(async () => {
    const source = newSource();
    await relay.cut();
    const answers = await times(30, () => post(source));
    expect([countOf(answers, 202), countOf(answers, 429)]).toEqual([PER_MINUTE / 2, 20]);
  }));
