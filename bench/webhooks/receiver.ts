import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { answerQuestions } from '../support/helper-process.ts';
import { wallMs } from '../support/wall-clock.ts';

/** One POST that has come in. */
export interface Arrival {
  /** The record that the event is about. */
  recordId: number;
  atMs: number;
}

export type ReceiverQuestion =
  | { kind: 'port' }
  /** Counts from 0 again; whether arrivals are kept, for which bodies are read. */
  | { kind: 'reset'; keepsArrivals: boolean }
  /** Resolves with how many have come in: when they are as many as this, or when the time is up. */
  | { kind: 'until'; count: number; timeoutMs: number }
  | { kind: 'arrivals' }
  /** The body that came in last while arrivals were kept. */
  | { kind: 'body' };

let keepsArrivals = false;
let received = 0;
let arrivals: Arrival[] = [];
let lastBody = '';
let awaited = { count: Number.POSITIVE_INFINITY, reached() {} };

function count(): void {
  received += 1;
  if (received >= awaited.count) awaited.reached();
}

async function keep(request: IncomingMessage): Promise<void> {
  const atMs = wallMs();
  lastBody = await text(request);
  const { data } = JSON.parse(lastBody) as { data: { id: number } };
  arrivals.push({ recordId: data.id, atMs });
  count();
}

async function until(target: number, timeoutMs: number): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>();
  awaited = { count: target, reached: resolve };
  const timer = setTimeout(resolve, timeoutMs);
  if (received >= target) resolve();
  await promise;
  clearTimeout(timer);
  return received;
}

/** Answers 200 with nothing, at once. */
const server = createServer((request, response) => {
  if (keepsArrivals) {
    // A sender that ended in the middle of its request has sent nothing that counts.
    keep(request).then(
      () => response.end(),
      () => response.destroy(),
    );
    return;
  }
  request.resume().once('end', () => {
    count();
    response.end();
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

answerQuestions(async (question: ReceiverQuestion) => {
  switch (question.kind) {
    case 'port':
      return (server.address() as AddressInfo).port;
    case 'reset':
      ({ keepsArrivals } = question);
      received = 0;
      arrivals = [];
      return null;
    case 'until':
      return until(question.count, question.timeoutMs);
    case 'arrivals':
      return arrivals;
    case 'body':
      return lastBody;
  }
});
