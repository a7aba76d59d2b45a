import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eventually } from '../../../support/index.ts';
import { endUpstreamWorlds, HOSTS, startUpstreamWorld, type UpstreamWorld } from './upstream-world.ts';

afterEach(endUpstreamWorlds);

describe('the connections to a backend', () => {
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

  it('503 with Retry-After when none can be reached for as long as a request waits; nobody is kept out afterwards', async () => {
    const world = await startUpstreamWorld({ up: [], waitMs: 300 });
    for (const { status, text, headers } of await world.calls(6))
      expect([status, text, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1']);
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

  it('504 when no answer begins in time; after five in a row nothing is sent, but for one call a second', async () => {
    const world = await startUpstreamWorld({ up: [0], timeoutMs: 150, waitMs: 50 });
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
});

describe('calls that wait for a backend', () => {
  /** As many calls as one address takes at once. */
  const PLACES = 128;
  const MEBIBYTE = 1024 * 1024;

  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;

  /** A name that leads to one address, which answers on demand. */
  async function startBusyWorld(options: { timeoutMs?: number; up?: number[]; newBody?: () => Buffer } = {}) {
    const world = await startUpstreamWorld({ up: [0], ...options, hosts: [HOSTS[0]] });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    world.receivers[0]?.respondWith(async () => {
      await released;
      return { status: 200 };
    });
    const underWay = (calls: number) =>
      eventually(async () =>
        expect(await world.metrics()).toContain(`gateway_upstream_calls{upstream="crm"} ${calls}\n`),
      );
    return { ...world, release, underWay };
  }

  it('a call that is given up in line keeps neither its place nor its body, and costs no connection', async () => {
    const bodies: WeakRef<Buffer>[] = [];
    const newBody = () => {
      const body = Buffer.alloc(MEBIBYTE);
      bodies.push(new WeakRef(body));
      return body;
    };
    const { calls, abandonable, underWay, received, receivers, release } = await startBusyWorld({ newBody });
    const first = calls(PLACES, 'POST');
    await eventually(() => expect(received()).toEqual([PLACES]));
    bodies.length = 0;
    const inLine = abandonable(40, 'POST');
    await underWay(PLACES + 40);
    inLine.leave();
    await inLine.answers;
    await underWay(PLACES);
    await eventually(() => {
      collectGarbage();
      expect(bodies.filter((body) => body.deref())).toHaveLength(0);
    });
    expect(receivers[0]?.connections()).toBe(PLACES);
    release();
    await first;
    await calls(PLACES, 'POST');
    expect(received()).toEqual([2 * PLACES]);
  });

  it('calls in line get their turn', async () => {
    const { calls, underWay, received, release } = await startBusyWorld();
    const all = calls(3 * PLACES);
    await underWay(3 * PLACES);
    await eventually(() => expect(received()).toEqual([PLACES]));
    release();
    expect((await all).map(({ status }) => status)).toEqual(Array(3 * PLACES).fill(200));
  });

  it('who stands in line for an address that the name no longer leads to goes on to another', async () => {
    const { calls, underWay, received, resolveTo, release } = await startBusyWorld({ up: [0, 1] });
    const all = calls(PLACES + 20, 'POST');
    await underWay(PLACES + 20);
    await eventually(() => expect(received()).toEqual([PLACES, 0]));
    resolveTo(HOSTS[1]);
    // The metrics are about the addresses behind the name.
    await underWay(0);
    release();
    expect((await all).map(({ status }) => status)).toEqual(Array(PLACES + 20).fill(200));
    expect(received()).toEqual([PLACES, 20]);
  });

  it('an address that answers nobody comes to rest, even where no client waits until the deadline', async () => {
    const { abandonable, asked, metrics } = await startBusyWorld({ timeoutMs: 2_500 });
    let isResting = false;
    const rest = eventually(async () => {
      expect(await metrics()).toContain('gateway_upstream_addresses{upstream="crm",state="resting"} 1');
    }).finally(() => (isResting = true));
    const atOnce = PLACES + 10;
    let sent = atOnce;
    let before = abandonable(atOnce);
    while (!isResting) {
      const next = abandonable(atOnce);
      sent += atOnce;
      await eventually(() => expect(asked()).toBe(sent));
      before.leave();
      await before.answers;
      before = next;
    }
    before.leave();
    await rest;
  });
});
