import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AppError, createMetrics } from '@frontdesk/service';
import { createUpstream } from '../../../services/gateway/src/clients/upstream.ts';
import { createUpstreamMetrics } from '../../../services/gateway/src/clients/upstream-metrics.ts';
import { eventually, freePort, logger, type Receiver, startReceiver } from '../../support/index.ts';

const HOSTS = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const;
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Three addresses behind one name, of which the given ones are up, and a client's side of calls to them. */
async function startWorld({ up = [0, 1, 2], timeoutMs = 5_000 } = {}) {
  const port = await freePort();
  const receivers: Receiver[] = [];
  const start = async (n: number) => {
    const receiver = await startReceiver({ host: HOSTS[n] as string, port });
    closing.push(receiver.close);
    receiver.respondWith(() => ({ status: 200, body: String(n) }));
    receivers[n] = receiver;
    return receiver;
  };
  for (const n of up) await start(n);
  const metrics = createMetrics();
  let addresses: string[] = [...HOSTS];
  const upstream = createUpstream({
    name: 'crm',
    url: `http://crm.internal:${port}`,
    timeoutMs,
    takenWithinMs: 60_000,
    metrics: createUpstreamMetrics(metrics),
    logger,
    resolveName: async () => addresses,
  });
  await upstream.part.start?.();
  closing.push(async () => upstream.part.stop?.());
  const front = createServer((request, response) => {
    const { method = '', url: path = '' } = request;
    upstream.call({ method, path, headers: {}, body: null }, response).then(
      (answer) => {
        response.writeHead(answer.status);
        answer.sendBody(response);
      },
      (error: AppError) => response.writeHead(error.status, error.headers).end(error.code),
    );
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => front.close(resolve).closeAllConnections()));
  const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const call = async (method = 'GET') => {
    const response = await fetch(url, { method });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return {
    receivers,
    start,
    call,
    calls: (count: number, method?: string) => Promise.all(Array.from({ length: count }, () => call(method))),
    resolveTo: (...to: string[]) => {
      addresses = to;
    },
    metrics: () => metrics.registry.metrics(),
    received: () => receivers.map((receiver) => receiver.requests.length),
  };
}
type World = Awaited<ReturnType<typeof startWorld>>;

const texts = (answers: Awaited<ReturnType<World['calls']>>) => answers.map(({ text }) => text);

it('all addresses behind the name get their part, under the name', async () => {
  const world = await startWorld();
  await world.calls(30);
  expect(world.received()).toEqual([10, 10, 10]);
  expect(world.receivers[1]?.requests[0]?.headers.host).toMatch(/^crm\.internal:\d+$/);
});

it('an address that is slow gets less than its part', async () => {
  const world = await startWorld();
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
  const world = await startWorld({ up: [1] });
  const answers = [...(await world.calls(20)), ...(await world.calls(20, 'POST'))];
  expect(texts(answers)).toEqual(Array(40).fill('1'));
  expect(await world.metrics()).toMatch(
    /gateway_upstream_failures_total\{upstream="crm",reason="unreachable"\} \d/,
  );
});

it('an address that comes back takes part again', async () => {
  const world = await startWorld({ up: [0, 1] });
  await world.calls(20);
  const back = await world.start(2);
  await eventually(async () => {
    await world.calls(6);
    expect(back.requests.length).toBeGreaterThan(5);
  });
});

it('503 at once when none can be reached; while all of them rest nothing is tried, and Retry-After says when', async () => {
  const world = await startWorld({ up: [] });
  for (let i = 0; i < 6; i += 1) {
    const { status, text, headers } = await world.call();
    expect([status, text, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1']);
  }
  expect(await world.metrics()).toContain('gateway_upstream_addresses{upstream="crm",state="resting"} 3');
  for (const n of [0, 1, 2]) await world.start(n);
  await eventually(async () => expect((await world.call()).status).toBe(200));
});

it('what was sent is not sent again: a connection that breaks before the answer is 503', async () => {
  const world = await startWorld({ up: [0, 1] });
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
  const world = await startWorld({ up: [0], timeoutMs: 150 });
  world.receivers[0]?.respondWith(() => new Promise(() => {}));
  const answers = await world.calls(12);
  expect(texts(answers)).toEqual(Array(12).fill('upstream_timeout'));
  expect((await world.call()).text).toBe('service_unavailable');
  expect(world.received()).toEqual([12]);
});

it('an address that the name no longer leads to ends what it has, and gets no more', async () => {
  const world = await startWorld({ up: [0, 1], timeoutMs: 30_000 });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  for (const receiver of world.receivers)
    receiver.respondWith(async () => {
      await released;
      return { status: 200, body: 'ended' };
    });
  const underWay = world.calls(4);
  await eventually(() => expect(world.received()).toEqual([2, 2]));
  world.resolveTo(HOSTS[1]);
  await eventually(async () => expect(await world.metrics()).toContain('state="in_use"} 1'), {
    timeoutMs: 10_000,
  });
  release();
  expect(texts(await underWay)).toEqual(Array(4).fill('ended'));
  await world.calls(6);
  expect(world.received()).toEqual([2, 8]);
});
