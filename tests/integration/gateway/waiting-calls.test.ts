import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eventually } from '../../support/index.ts';
import { endUpstreamWorlds, HOSTS, startUpstreamWorld } from './upstream-world.ts';

/** As many calls as one address takes at once. */
const PLACES = 128;
const MEBIBYTE = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

afterEach(endUpstreamWorlds);

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
