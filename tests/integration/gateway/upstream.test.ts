import { eventually } from '../../support/index.ts';
import { endUpstreamWorlds, HOSTS, startUpstreamWorld, type UpstreamWorld } from './upstream-world.ts';

afterEach(endUpstreamWorlds);

const triesOf = async (world: UpstreamWorld) => {
  const failures = /gateway_upstream_failures_total\{upstream="crm",reason="unreachable"\} (\d+)/;
  return Number(failures.exec(await world.metrics())?.[1]);
};
const texts = (answers: Awaited<ReturnType<UpstreamWorld['calls']>>) => answers.map(({ text }) => text);

it('all addresses behind the name get their part, under the name', async () => {
  const world = await startUpstreamWorld();
  // None is faster than the others: all answer once each has its part.
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  for (const receiver of world.receivers)
    receiver.respondWith(async () => {
      await released;
      return { status: 200 };
    });
  const calls = world.calls(30);
  await eventually(() => expect(world.received()).toEqual([10, 10, 10]));
  release();
  await calls;
  expect(world.receivers[1]?.requests[0]?.headers.host).toMatch(/^crm\.internal:\d+$/);
});

it('an address that is slow gets less than its part', async () => {
  const world = await startUpstreamWorld();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  world.receivers[0]?.respondWith(async () => {
    await released;
    return { status: 200 };
  });
  const slow = world.calls(3);
  await eventually(() => expect(world.received()).toEqual([1, 1, 1]));
  for (let i = 0; i < 12; i += 1) await world.call();
  expect(world.received()).toEqual([1, 7, 7]);
  release();
  await slow;
});

it('an address that is down costs nobody an answer, whatever the method: nothing was sent there', async () => {
  const world = await startUpstreamWorld({ up: [1] });
  const answers = [...(await world.calls(20)), ...(await world.calls(20, 'POST'))];
  expect(texts(answers)).toEqual(Array(40).fill('1'));
  expect(await world.metrics()).toMatch(
    /gateway_upstream_failures_total\{upstream="crm",reason="unreachable"\} \d/,
  );
});

it('an address that comes back takes part again', async () => {
  const world = await startUpstreamWorld({ up: [0, 1] });
  await world.calls(20);
  const back = await world.start(2);
  await eventually(async () => {
    await world.calls(6);
    expect(back.requests.length).toBeGreaterThan(5);
  });
});

it('503 at once when none can be reached; while all of them rest nothing is tried, and Retry-After says when', async () => {
  const world = await startUpstreamWorld({ up: [] });
  for (let i = 0; i < 6; i += 1) {
    const { status, text, headers } = await world.call();
    expect([status, text, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1']);
  }
  // The rest is short: a busy machine may find it over, and then the call after the next try finds it.
  await eventually(async () => {
    const tried = await triesOf(world);
    expect((await world.call()).headers.get('retry-after')).toBe('1');
    expect(await triesOf(world)).toBe(tried);
  });
  for (const n of [0, 1, 2]) await world.start(n);
  await eventually(async () => expect((await world.call()).status).toBe(200));
});

it('503 for a connection that breaks before the answer: what was sent is not sent again', async () => {
  const world = await startUpstreamWorld({ up: [0, 1] });
  for (const receiver of world.receivers)
    receiver.respondWith(() => {
      throw new Error('hangs up');
    });
  world.resolveTo(...HOSTS.slice(0, 2));
  const { status } = await world.call('POST');
  expect(status).toBe(503);
  expect((world.received()[0] as number) + (world.received()[1] as number)).toBe(1);
});

it('504 when no answer begins in time; after five in a row the next is refused at once', async () => {
  const world = await startUpstreamWorld({ up: [0], timeoutMs: 150 });
  world.receivers[0]?.respondWith(() => new Promise(() => {}));
  for (let i = 0; i < 5; i += 1) expect((await world.call()).text).toBe('upstream_timeout');
  // One call a second tries it again; the one after that doesn't.
  await eventually(async () => expect((await world.call()).text).toBe('service_unavailable'));
});

it('an address that the name no longer leads to ends what it has, and gets no more', async () => {
  const world = await startUpstreamWorld({ up: [0, 1] });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  for (const receiver of world.receivers)
    receiver.respondWith(async () => {
      await released;
      return { status: 200, body: 'ended' };
    });
  const underWay = world.calls(4);
  await eventually(() => expect(world.received()).toEqual([2, 2]));
  world.resolveTo(HOSTS[1]);
  await eventually(async () => expect(await world.metrics()).toContain('state="in_use"} 1'));
  release();
  expect(texts(await underWay)).toEqual(Array(4).fill('ended'));
  await world.calls(6);
  expect(world.received()).toEqual([2, 8]);
});
