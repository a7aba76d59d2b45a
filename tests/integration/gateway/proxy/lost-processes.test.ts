import { eventually } from '../../../support/index.ts';
import { type BackendProcess, startBackendProcess } from './backend-process.ts';
import { endUpstreamWorlds, HOSTS, startUpstreamWorld } from './upstream-world.ts';

/** Of waits that come to no end by themselves: longer than any test. */
const PATIENCE_MS = 1_800_000;
const TWO = HOSTS.slice(0, 2);

let processes: BackendProcess[] = [];
afterEach(async () => {
  await endUpstreamWorlds();
  await Promise.all(processes.map((backend) => backend.kill()));
  processes = [];
});

/** A service in as many processes, and a gateway before it. */
async function startWorld({
  hosts = TWO,
  waitMs = PATIENCE_MS,
  silenceMs = PATIENCE_MS,
  timeoutMs = PATIENCE_MS,
}) {
  const world = await startUpstreamWorld({ up: [], hosts, waitMs, silenceMs, timeoutMs });
  const start = async (host: string) => {
    const backend = await startBackendProcess({ host, port: world.port });
    processes.push(backend);
    return backend;
  };
  const backends = await Promise.all(hosts.map(start));
  const metric = async (name: string) => {
    const line = (await world.metrics()).split('\n').find((text) => text.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1));
  };
  return {
    ...world,
    start,
    backends: backends as [BackendProcess, BackendProcess],
    waiting: () => metric('gateway_upstream_waiting{upstream="crm"}'),
    resting: () => metric('gateway_upstream_addresses{upstream="crm",state="resting"}'),
    underWay: () => metric('gateway_upstream_calls{upstream="crm"}'),
  };
}

const idsOf = (backends: BackendProcess[]) => backends.map(({ id }) => id);

describe('a service whose processes all end', () => {
  it('costs no request that has not begun: each waits for a process, and is sent once', async () => {
    const world = await startWorld({});
    await world.calls(10);
    await Promise.all(world.backends.map((backend) => backend.kill()));
    const calls = [world.calls(20), world.calls(20, 'POST')];
    await eventually(async () => expect(await world.waiting()).toBe(40));
    const next = await Promise.all(TWO.map(world.start));
    for (const { status, text } of (await Promise.all(calls)).flat()) {
      expect(status).toBe(200);
      expect(idsOf(next)).toContain(text);
    }
    const sent = next.flatMap((backend) => backend.requests());
    expect(sent.filter((line) => line.startsWith('GET'))).toHaveLength(20);
    expect(sent.filter((line) => line.startsWith('POST'))).toHaveLength(20);
  });

  it('may come back at another address', async () => {
    const world = await startWorld({ hosts: [HOSTS[0]] });
    await world.backends[0].kill();
    const calls = world.calls(5, 'POST');
    await eventually(async () => expect(await world.waiting()).toBe(5));
    const next = await world.start(HOSTS[1]);
    world.resolveTo(HOSTS[1]);
    expect((await calls).map(({ text }) => text)).toEqual(Array(5).fill(next.id));
  });

  it('503 after the wait, of which no client’s going away leaves anything', async () => {
    const world = await startWorld({ hosts: [HOSTS[0]], waitMs: 500 });
    await world.backends[0].kill();
    const leaving = world.abandonable(5, 'POST');
    await eventually(async () => expect(await world.waiting()).toBe(5));
    leaving.leave();
    await leaving.answers;
    const { status, text, headers } = await world.call('POST');
    expect([status, text, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1']);
    await eventually(async () => expect([await world.waiting(), await world.underWay()]).toEqual([0, 0]));
  });
});

describe('a process that is paused, not dead', () => {
  const SILENCE_MS = 1_000;

  it('loses its turn while its twin answers; what it had is not sent again; it takes part again once it goes on', async () => {
    const world = await startWorld({ silenceMs: SILENCE_MS });
    const [paused, twin] = world.backends;
    await world.calls(10);
    paused.child.kill('SIGSTOP');
    const before = [...paused.requests(), ...twin.requests()].length;
    // At least one of them is the paused one's.
    const stuck = world.calls(10, 'POST');
    await eventually(async () => expect(await world.resting()).toBe(1));
    const held = await world.underWay();
    expect(held).toBeGreaterThan(0);
    for (const { text } of await world.calls(30)) expect(text).toBe(twin.id);
    expect(await world.underWay()).toBe(held);

    paused.child.kill('SIGCONT');
    expect((await stuck).map(({ status }) => status)).toEqual(Array(10).fill(200));
    await eventually(async () => expect(await world.resting()).toBe(0));
    const all = [...paused.requests(), ...twin.requests()];
    expect(all).toHaveLength(before + 40);
    expect(all.filter((line) => line.startsWith('POST'))).toHaveLength(10);
    await eventually(async () => {
      const answers = await world.calls(10);
      expect(answers.map(({ text }) => text)).toContain(paused.id);
    });
  });

  it('503 or 504 within the time for an answer where it has no twin; it is asked again once it goes on', async () => {
    const world = await startWorld({ hosts: [HOSTS[0]], silenceMs: 200, timeoutMs: 1_000, waitMs: 300 });
    const [paused] = world.backends;
    paused.child.kill('SIGSTOP');
    for (const { status } of await world.calls(10)) expect([503, 504]).toContain(status);
    paused.child.kill('SIGCONT');
    await eventually(async () => expect((await world.call()).status).toBe(200));
  });
});

it('a process that is only slow with a request keeps its turn: it says that it lives', async () => {
  const world = await startWorld({ silenceMs: 400 });
  const [one, other] = world.backends;
  const slow = new AbortController();
  const isSent = fetch(`${world.url}/slow`, { signal: slow.signal }).catch(() => {});
  const asked = () => [one, other].filter((backend) => backend.requests().includes('GET /slow'));
  await eventually(() => expect(asked()).toHaveLength(1));
  const [busy] = asked() as [BackendProcess];
  // Each time it had been silent for half of what is allowed.
  await eventually(() => expect(busy.probes()).toBeGreaterThan(4));
  expect(await world.resting()).toBe(0);
  await eventually(async () => {
    const answers = await world.calls(10);
    expect(answers.map(({ text }) => text)).toContain(busy.id);
  });
  slow.abort();
  await isSent;
});
