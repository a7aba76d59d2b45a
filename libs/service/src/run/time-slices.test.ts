import { once } from 'node:events';
import { type ClientRequest, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../http/app.ts';
import { clientGone } from '../http/client-gone.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createLogger } from './logging.ts';
import { timeSlices } from './time-slices.ts';

/** Far more work than any slice takes. */
const STEPS = 2_000_000;

async function work(pause: ReturnType<typeof timeSlices>, isDone = () => false): Promise<void> {
  for (let step = 0; step < STEPS && !isDone(); step += 1) {
    Math.hypot(...Array.from({ length: 100 }, (_, n) => n));
    await pause();
  }
}

describe('work in slices', () => {
  it('lets everything else have its turn, again and again', async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      if (turns < 5) setImmediate(count);
    };
    setImmediate(count);
    await work(timeSlices(), () => turns === 5);
    expect(turns).toBe(5);
  });

  it('goes on where many are at work', async () => {
    const rounds = [0, 0, 0];
    const isDone = () => rounds.every((count) => count > 20);
    await Promise.all(
      rounds.map((_, index) =>
        work(timeSlices(), () => {
          rounds[index] = (rounds[index] ?? 0) + 1;
          return isDone();
        }),
      ),
    );
    expect(isDone()).toBe(true);
  });

  it('ends once nobody waits for it', async () => {
    const abort = new AbortController();
    setImmediate(() => abort.abort());
    await expect(work(timeSlices({ signal: abort.signal }))).rejects.toMatchObject({
      code: 'request_timeout',
    });
  });

  it('ends at its deadline', async () => {
    await expect(work(timeSlices({ timeoutMs: 0 }))).rejects.toMatchObject({ code: 'upstream_timeout' });
  });
});

describe('work for a request', () => {
  const app = createApp({
    logger: createLogger({ name: 'test', level: 'silent' }),
    metrics: createMetrics(),
  });
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<unknown>();
  app.post('/work', async (_request, reply) => {
    begun.resolve();
    return work(timeSlices({ signal: clientGone(reply) })).catch((error: unknown) => {
      ended.resolve(error);
      throw error;
    });
  });
  app.post('/some', async (_request, reply) => {
    const signal = clientGone(reply);
    let turns = 0;
    await work(timeSlices({ signal }), () => {
      turns += 1;
      return turns > 1_000;
    });
    return { aborted: signal.aborted };
  });
  beforeAll(() => app.listen({ host: '127.0.0.1', port: 0 }));
  afterAll(() => app.close());

  const post = (path: string): ClientRequest => {
    const { port } = app.server.address() as AddressInfo;
    const headers = { 'content-type': 'application/json' };
    return httpRequest({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false }).end('{}');
  };

  it('ends when its client has gone', async () => {
    const client = post('/work');
    client.on('error', () => {});
    await begun.promise;
    client.destroy();
    expect(await ended.promise).toMatchObject({ code: 'request_timeout' });
  });

  it('goes on as long as its client waits', async () => {
    const client = post('/some');
    const [response] = await once(client, 'response');
    expect(JSON.parse((await response.toArray()).join(''))).toEqual({ aborted: false });
  });
});
