import { randomBytes } from 'node:crypto';
import { ingestPath, MAX_INGEST_BYTES } from '@frontdesk/contracts';
import { engines, eventually, freePort, type Relay, startRelay } from '../../../support/index.ts';
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
} from '../gateway-world.ts';

const PER_MINUTE = 20;
const ENV = { INGEST_RATE_PER_MINUTE: String(PER_MINUTE), GATEWAY_REPLICAS: '2' };

let world: GatewayWorld;
let relay: Relay;
let gateways: [Gateway, Gateway];

beforeAll(async () => {
  world = await startGatewayWorld();
  relay = await startRelay(engines().redisUrl);
  gateways = [await world.startGateway(ENV), await world.startGateway(ENV)];
});
afterAll(async () => {
  await world.stop();
  await relay.close();
});
/** What each test begins with, also when it begins again. */
const withinOneMinuteOfGoodMessages = (test: () => Promise<void>) =>
  withinOneMinute(() => {
    world.sources.missing.clear();
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

it('calls is told how many messages of which source were too many or too large, once a second', async () => {
  world.backend.respondWith(() => ({ status: 202, body: '{}' }));
  let [busy, large] = ['', ''];
  const tooLarge = Buffer.alloc(MAX_INGEST_BYTES + 1);
  await withinOneMinute(async () => {
    [busy, large] = [newSource(), newSource()];
    const sent = await times(PER_MINUTE + 15, () => post(busy));
    expect(countOf(sent, 429)).toBe(15);
    const [refused, chunked] = await Promise.all([
      send(`${gateways[0].url}${large}`, { method: 'POST', body: tooLarge }),
      send(`${gateways[0].url}${large}`, {
        method: 'POST',
        duplex: 'half',
        body: new Blob([tooLarge]).stream(),
      } as RequestInit),
    ]);
    expect([refused.status, chunked.status]).toEqual([413, 413]);
  });
  const told = () => {
    const sums = new Map<string, number>();
    for (const { token, reason, messages } of world.sources.refused) {
      const name = `${ingestPath(token)} ${reason}`;
      sums.set(name, (sums.get(name) ?? 0) + messages);
    }
    return Object.fromEntries(sums);
  };
  await eventually(async () =>
    expect(told()).toEqual(expect.objectContaining({ [`${busy} too_many`]: 15, [`${large} too_large`]: 2 })),
  );
});

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

it('404 for sources that there are not, without asking for messages to be taken; 429 after 60; those that there are hear nothing of it', () =>
  withinOneMinuteOfGoodMessages(async () => {
    const from = randomAddress();
    const known = newSource();
    expect((await post(known, from)).status).toBe(202);
    world.backend.requests.length = 0;
    world.sources.missing.add('all');
    const answers = await times(80, () => post(newSource(), from));
    expect([countOf(answers, 404), countOf(answers, 429), world.backend.requests]).toEqual([60, 20, []]);
    expect(answers.find(({ status }) => status === 404)?.body.code).toBe('not_found');
    expect((await post(known, from)).status).toBe(202);
    // One that was just made, or has slipped from memory, is asked for from there all the same.
    world.sources.missing.clear();
    expect((await post(newSource(), from)).status).toBe(202);
  }));

it('503 with Retry-After while calls can’t say whether there is such a source', () =>
  withinOneMinuteOfGoodMessages(async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const gateway = await world.startGateway({ CALLS_INTERNAL_URL: nowhere });
    const { status, body, headers } = await post(newSource(), randomAddress(), gateway);
    expect([status, body.code]).toEqual([503, 'service_unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }));

it('many who ask at once for sources share a look-up, and the next message to each needs none', () =>
  withinOneMinuteOfGoodMessages(async () => {
    const sources = Array.from({ length: 30 }, newSource);
    world.sources.requests.length = 0;
    expect(countOf(await Promise.all(sources.map((source) => post(source))), 202)).toBe(30);
    const asked = world.sources.requests.flatMap(({ rawBody }) => JSON.parse(rawBody).tokens as string[]);
    expect(asked.toSorted()).toEqual(sources.map((source) => source.slice(ingestPath('').length)).toSorted());
    expect(countOf(await Promise.all(sources.map((source) => post(source))), 202)).toBe(30);
    expect(world.sources.requests.flatMap(({ rawBody }) => JSON.parse(rawBody).tokens)).toHaveLength(30);
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

it('goes on by this gateway’s share of the rate while Redis is away', async () => {
  const alone = await world.startGateway({ ...ENV, REDIS_URL: relay.url, ...REDIS_MAY_GO });
  await relay.cut();
  await withinOneMinuteOfGoodMessages(async () => {
    const source = newSource();
    const answers = await times(30, () => post(source, randomAddress(), alone));
    expect([countOf(answers, 202), countOf(answers, 429)]).toEqual([PER_MINUTE / 2, 20]);
  });
});
