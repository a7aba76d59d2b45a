import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AppError, createMetrics } from '@frontdesk/service';
import { createAnswerRoom } from '../../../services/gateway/src/clients/answer-room.ts';
import { createUpstream } from '../../../services/gateway/src/clients/upstream.ts';
import { createUpstreamMetrics } from '../../../services/gateway/src/clients/upstream-metrics.ts';
import { freePort, logger, type Receiver, startReceiver } from '../../support/index.ts';

export const HOSTS = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const;
/** Of calls that are not given up: longer than any test. */
const PATIENCE_MS = 1_800_000;
const closing: (() => Promise<unknown>)[] = [];

/** Ends what the test has started. */
export async function endUpstreamWorlds(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}

/** Three addresses behind one name, of which the given ones are up, and a client's side of calls to them. */
export async function startUpstreamWorld({
  up = [0, 1, 2],
  hosts = HOSTS as readonly string[],
  timeoutMs = PATIENCE_MS,
  newBody = (): Buffer | null => null,
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
    takenWithinMs: PATIENCE_MS,
    answerRoom: createAnswerRoom(metrics),
    metrics: createUpstreamMetrics(metrics),
    logger,
    resolveName: async () => addresses,
  });
  await upstream.part.start?.();
  closing.push(async () => upstream.part.stop?.());
  let asked = 0;
  const front = createServer((request, response) => {
    asked += 1;
    const { method = '', url: path = '' } = request;
    const holder = path.split('/')[1] ?? '';
    upstream.call({ method, path, headers: {}, body: newBody() }, response, holder).then(
      (answer) => {
        response.writeHead(answer.status);
        answer.sendBody(response);
      },
      (error: AppError) => response.writeHead(error.status, error.headers).end(error.code),
    );
  });
  front.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => front.close(resolve).closeAllConnections()));
  const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const call = async (method = 'GET', signal: AbortSignal | null = null) => {
    const response = await fetch(url, { method, signal });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return {
    url,
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
    /** How many calls clients have made so far. */
    asked: () => asked,
    received: () => receivers.map((receiver) => receiver.requests.length),
  };
}

export type UpstreamWorld = Awaited<ReturnType<typeof startUpstreamWorld>>;
