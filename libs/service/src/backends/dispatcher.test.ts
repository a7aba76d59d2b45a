import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createFairQueue } from '@frontdesk/fair';
import type { BackendDispatchOptions, Holder } from './backend-request.ts';
import { BackendDispatcher, type BackendOptions } from './dispatcher.ts';

/** Of waits that come to no end by themselves: longer than any test. */
const PATIENCE_MS = 1_800_000;
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listen(server: Server, port = 0, address = '127.0.0.1'): Promise<number> {
  await once(server.listen(port, address), 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A port at which nothing listens. */
async function quietPort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function dispatcherTo(port: number, options: Partial<BackendOptions> = {}) {
  const dispatcher = new BackendDispatcher({
    url: `http://127.0.0.1:${port}`,
    connections: 8,
    maxUnanswered: 100,
    waitMs: PATIENCE_MS,
    ...options,
  });
  // Not awaited: it waits for answers that come only as the servers close.
  closing.push(async () => void dispatcher.close());
  const ask = async (holder?: string, signal?: AbortSignal) => {
    const request: BackendDispatchOptions = { method: 'GET', path: '/', holder };
    const { statusCode, body } = await dispatcher.request({ ...request, ...(signal && { signal }) });
    await body.dump();
    return statusCode;
  };
  return { dispatcher, ask };
}

it('requests that wait for a process take none of their holder’s places at other services', async () => {
  const holders = createFairQueue<Holder>({ perHolder: 1 });
  const awayAt = await quietPort();
  const away = dispatcherTo(awayAt, { holders });
  const there = dispatcherTo(await listen(createServer((_request, response) => response.end())), { holders });
  const waiting = Array.from({ length: 3 }, () => away.ask('tenant'));
  expect(await there.ask('tenant')).toBe(200);
  await listen(
    createServer((_request, response) => response.end()),
    awayAt,
  );
  expect(await Promise.all(waiting)).toEqual([200, 200, 200]);
});

it('one holder’s unanswered requests are at most as many as are left for others', async () => {
  const { ask } = dispatcherTo(await quietPort(), { maxUnanswered: 8 });
  const leaving = new AbortController();
  const accepted: Promise<unknown>[] = [];
  const refused = async (holder: string, most: number) => {
    for (let i = 0; i < most; i += 1) accepted.push(ask(holder, leaving.signal).catch(() => {}));
    await expect(ask(holder)).rejects.toThrow('too many requests are unanswered');
  };
  await refused('greedy', 4);
  await refused('another', 2);
  await refused('third', 1);
  // They give back what they took.
  leaving.abort();
  await Promise.all(accepted);
  const again = new AbortController();
  const next = Array.from({ length: 4 }, () => ask('greedy', again.signal).catch(() => 'gone'));
  again.abort();
  expect(await Promise.all(next)).toEqual(Array(4).fill('gone'));
});

it('a request can be given up while it waits, and ends at once', async () => {
  const { dispatcher, ask } = dispatcherTo(await quietPort());
  await expect(ask('tenant', AbortSignal.timeout(50))).rejects.toThrow('timeout');
  expect(dispatcher.waiting()).toBe(0);
});

it('a request that can’t be sent for a fault of its own says nothing of the process', async () => {
  const { dispatcher, ask } = dispatcherTo(
    await listen(createServer((_request, response) => response.end())),
  );
  const bad = { method: 'GET', path: '/', headers: { connection: ['a', 'b'] as unknown as string } } as const;
  await expect(dispatcher.request({ ...bad, path: 'no path' })).rejects.toThrow('path');
  expect(await ask()).toBe(200);
});

describe('two processes behind one name', () => {
  /** A process that takes requests, and answers none of them until it continues. */
  function pausedProcess() {
    const held: ServerResponse[] = [];
    let isPaused = true;
    const server = createServer(
      (_request, response) => void (isPaused ? held.push(response) : response.end()),
    );
    const goOn = () => {
      isPaused = false;
      for (const response of held) response.end();
    };
    return { server, goOn };
  }

  /** Only a name has addresses. */
  const twoAt = (port: number) => ({
    url: `http://localhost:${port}`,
    resolveName: async () => ['127.0.0.1', '127.0.0.2'],
  });

  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await delay(5);
  }

  it('that are both silent get requests all the same, and answer them once they continue', async () => {
    const [one, other] = [pausedProcess(), pausedProcess()];
    const port = await listen(one.server);
    await listen(other.server, port, '127.0.0.2');
    const { dispatcher, ask } = dispatcherTo(port, {
      ...twoAt(port),
      silenceMs: 100,
      waitMs: 500,
    });
    const first = [ask(), ask()];
    await until(
      () =>
        dispatcher.addresses.backends().length === 2 &&
        dispatcher.addresses.backends().every(({ liveness }) => liveness.isSilent()),
    );
    const late = ask();
    // Longer than a request waits that is not sent: it would be refused by now.
    const refused = late.then(
      () => false,
      () => true,
    );
    expect(await Promise.race([refused, delay(1_000, 'sent')])).toBe('sent');
    one.goOn();
    other.goOn();
    expect(await Promise.all([...first, late])).toEqual([200, 200, 200]);
  });

  /** One that is paused, and its twin, which answers. */
  async function pausedAndLively(options: Partial<BackendOptions>) {
    const paused = pausedProcess();
    const port = await listen(paused.server);
    await listen(
      createServer((_request, response) => response.end()),
      port,
      '127.0.0.2',
    );
    const { dispatcher, ask } = dispatcherTo(port, { ...twoAt(port), silenceMs: 100, ...options });
    const pausedOne = () => dispatcher.addresses.backends().find(({ address }) => address === '127.0.0.1');
    const isSilent = () => pausedOne()?.liveness.isSilent() === true;
    return { paused, ask, isSilent };
  }

  it('one is found silent although nobody waits for it that long', async () => {
    const { ask, isSilent } = await pausedAndLively({ silenceMs: 1_000 });
    const askAndGiveUp = async () => {
      while (!isSilent()) {
        await ask('tenant', AbortSignal.timeout(100)).catch((error: Error) => {
          if (error.name !== 'TimeoutError') throw error;
        });
      }
    };
    await Promise.all(Array.from({ length: 4 }, askAndGiveUp));
    expect(await Promise.all(Array.from({ length: 4 }, () => ask()))).toEqual(Array(4).fill(200));
  });

  it('what waits for a silent one goes on to its twin; what was sent there waits', async () => {
    const { paused, ask } = await pausedAndLively({ connections: 1 });
    let answered = 0;
    const asked = Array.from({ length: 6 }, () =>
      ask().then((status) => {
        answered += 1;
        return status;
      }),
    );
    await until(() => answered === 5);
    paused.goOn();
    expect(await Promise.all(asked)).toEqual(Array(6).fill(200));
  });
});
