import type { IncomingHttpHeaders } from 'node:http';
import type { AppError } from '@frontdesk/service';
import { type Answer, createAnswer, type IncomingAnswer, type Taking } from './backend-answer.ts';
import type { Backend } from './balancer.ts';
import { isGone, NothingSent, unavailable } from './failures.ts';
import type { FailureReason } from './upstream-metrics.ts';

export interface BackendRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer | null;
}

/** What ends a call before its answer has begun: the deadline, or the client that goes away. */
export interface Exchange {
  cancelled: AppError | null;
  cancel: (reason: AppError) => void;
}

/**
 * The answer of one address, once it has begun.
 * @throws NothingSent where another address may be tried; AppError 503 where the connection broke, and why it was cancelled
 */
export function callBackend(
  backend: Backend,
  request: BackendRequest,
  exchange: Exchange,
  options: { timeoutMs: number; taking: Taking; onFailure: (reason: FailureReason) => void },
): Promise<Answer> {
  const { timeoutMs, taking, onFailure } = options;
  const { line, circuit, pool } = backend;
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  let answer: IncomingAnswer | null = null;
  let isSent = false;
  let abort: ((reason: Error) => void) | null = null;
  if (exchange.cancelled) return Promise.reject(exchange.cancelled);

  const fail = (reason: FailureReason) => {
    circuit.fail();
    onFailure(reason);
  };
  const start = () =>
    void pool.dispatch(
      { ...request, headersTimeout: 0, bodyTimeout: timeoutMs },
      {
        onRequestStart(controller) {
          if (exchange.cancelled) return controller.abort(exchange.cancelled);
          isSent = true;
          abort = (reason) => controller.abort(reason);
        },
        onResponseStart(controller, status, headers) {
          if (status < 200) return;
          line.answered();
          answer = createAnswer(controller, { status, headers }, taking);
          resolve(answer);
        },
        onResponseData(_controller, chunk) {
          answer?.add(chunk);
        },
        onResponseEnd() {
          line.ended({ isAnswered: true });
          circuit.succeed();
          answer?.end();
        },
        onResponseError(controller, error) {
          line.ended({ isAnswered: answer !== null });
          // What we end ourselves is not its fault, or has been counted already.
          if (!exchange.cancelled && !controller?.aborted) fail(isSent ? 'broken' : 'unreachable');
          if (answer) answer.fail();
          else reject(isSent ? unavailable(error) : new NothingSent('nothing was sent', { cause: error }));
        },
      },
    );
  const cancel = (reason: AppError) => {
    exchange.cancelled = reason;
    // Others may hold up the line: then it is the backend's fault only if it has answered none of them.
    const isItsFault = line.leave(start) ? line.silentMs() >= timeoutMs : !isGone(reason);
    if (isItsFault) fail('timeout');
    reject(reason);
    abort?.(reason);
  };
  // A function written right into the assignment would be made among V8's long-lived objects, and keep all of its call
  // from being collected early.
  exchange.cancel = cancel;
  circuit.begin();
  line.enter(start);
  return promise;
}
