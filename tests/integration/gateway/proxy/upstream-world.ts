import { createFairQueue } from '@frontdesk/fair';
import { type App, AppError, createApp, createMetrics } from '@frontdesk/service';
import { proxy } from '../../../../services/gateway/src/proxy/proxy.ts';
import { createUpstream } from '../../../../services/gateway/src/proxy/upstream.client.ts';
import { createUpstreamMetrics } from '../../../../services/gateway/src/proxy/upstream-metrics.ts';
import { freePort, logger, type Receiver, startReceiver } from '../../../support/index.ts';

export const HOSTS = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const;
/** Of calls that are not given up: longer than any test. */
const PATIENCE_MS = 1_800_000;
const closing: (() => Promise<unknown>)[] = [];

/** Ends what the test has started. */
export async function endUpstreamWorlds(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}

/** The first step of a path. */
const holderOf = (path: string) => path.split('/')[1] ?? '';

/** Three addresses behind one name, of which the given ones are up, and a client's side of calls to them. */
export async function startUpstreamWorld({
  up = [0, 1, 2],
  hosts = HOSTS as readonly string[],
  timeoutMs = PATIENCE_MS,
  waitMs = 3_000,
  silenceMs = PATIENCE_MS,
  newBody = (): Buffer | null => null,
  placesOfHolder = 100_000,
  takenWithinMs = PATIENCE_MS,
  screen = async (): Promise<AppError | null> => null,
} = {}) {
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
  let addresses = [...hosts];
  const upstream = createUpstream({
    name: 'crm',
    url: `http://crm.internal:${port}`,
    timeoutMs,
    waitMs,
    silenceMs,
    holders: createFairQueue({ perHolder: placesOfHolder }),
    metrics: createUpstreamMetrics(metrics),
    logger,
    resolveName: async () => addresses,
  });
  await upstream.component.start?.();
  closing.push(async () => upstream.component.stop?.());
  let asked = 0;
  const front = createApp({ logger, metrics });
  front.addHook('onRequest', (_request, _reply, done) => {
    asked += 1;
    done();
  });
  const failures: unknown[] = [];
  front.addHook('onError', async (_request, _reply, error) => {
    failures.push(error instanceof AppError ? error.status : error);
  });
  await front.register(async (scope: App) => {
    scope.decorateRequest('spentMs', 0);
    scope.addHook('preHandler', async (request) => {
      // Read to its end, as the gateway's bodies are.
      request.raw.resume();
      request.body = newBody();
    });
    await scope.register(proxy, {
      upstream,
      takenWithinMs,
      screen,
      prefix: '/',
      routes: ['*'],
      methods: ['GET', 'POST'],
      headersOf: () => ({}),
      queryFor: (query) => query,
      holderOf: ({ url }) => holderOf(url),
    });
  });
  await front.listen({ host: '127.0.0.1', port: 0 });
  closing.push(async () => {
    front.server.closeAllConnections();
    await front.close();
  });
  const url = front.listeningOrigin;
  const call = async (method = 'GET', signal: AbortSignal | null = null) => {
    const response = await fetch(url, { method, signal });
    const text = await response.text();
    // Of a failure its code.
    const { code = text } = text.startsWith('{') ? (JSON.parse(text) as { code?: string }) : {};
    return { status: response.status, headers: response.headers, text: code };
  };
  return {
    url,
    /** Of all addresses. */
    port,
    receivers,
    start,
    call,
    calls: (count: number, method?: string) => Promise.all(Array.from({ length: count }, () => call(method))),
    /** As many calls, and what has their clients go away. */
    abandonable(count: number, method?: string) {
      const clients = new AbortController();
      const answers = Promise.allSettled(Array.from({ length: count }, () => call(method, clients.signal)));
      return { answers, leave: () => clients.abort() };
    },
    resolveTo: (...to: string[]) => {
      addresses = to;
    },
    metrics: () => metrics.registry.metrics(),
    /** Statuses of the requests that have failed in the proxy itself. */
    failures,
    /** How many calls clients have made so far. */
    asked: () => asked,
    received: () => receivers.map((receiver) => receiver.requests.length),
  };
}

export type UpstreamWorld = Awaited<ReturnType<typeof startUpstreamWorld>>;
