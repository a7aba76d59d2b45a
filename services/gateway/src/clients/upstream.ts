import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { AppError, type Logger, loop, type Part } from '@frontdesk/service';
import { type Answer, createAnswer, type IncomingAnswer } from './backend-answer.ts';
import { type Backend, createBalancer, type ResolveName } from './balancer.ts';
import type { UpstreamMetrics } from './upstream-metrics.ts';

/** More than this waiting for one service won't be answered in time either: refused, not queued. */
const MAX_WAITING = 2_048;
/** How soon a new process of a service gets its part of the calls. */
const REFRESH_MS = 5_000;

interface BackendRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer | null;
}

/** A service that the gateway forwards to, at all addresses behind its name. */
export interface Upstream {
  name: string;
  /**
   * The answer, once it has begun. A client that goes away takes its call with it.
   * @throws AppError 503 where no address can be reached, 504 where no answer begins in time
   */
  call(request: BackendRequest, client: ServerResponse): Promise<Answer>;
  part: Part;
}

/** What ends a call before its answer has begun: the deadline, or the client that goes away. */
interface Exchange {
  cancelled: AppError | null;
  cancel: (reason: AppError) => void;
}

/** Nothing of the request has left: it may go to another address, whatever its method. */
class NothingSent extends Error {}

export function createUpstream(options: {
  name: string;
  url: string;
  /** Longest wait for an answer to begin, whatever is tried meanwhile. */
  timeoutMs: number;
  /** Longest that a client may take over an answer. */
  takenWithinMs: number;
  metrics: UpstreamMetrics;
  logger: Logger;
  resolveName?: ResolveName;
}): Upstream {
  const { name, url, timeoutMs, metrics, logger } = options;
  const balancer = createBalancer({ url, resolveName: options.resolveName });
  metrics.watch(name, balancer.backends);
  const addresses = loop({
    name: `addresses of ${name}`,
    intervalMs: REFRESH_MS,
    logger,
    async run() {
      await balancer.refresh();
      return false;
    },
  });
  let waiting = 0;

  /** To the address with the least to do, and on to the next one only where nothing was sent. */
  const callAny = async (request: BackendRequest, exchange: Exchange): Promise<Answer> => {
    const tried = new Set<Backend>();
    let fault: unknown = 'no address is known';
    for (;;) {
      const backend = balancer.pick(tried);
      if (!backend) {
        if (tried.size > 0 || balancer.backends().length === 0) throw unavailable(fault);
        throw unavailable('all addresses are resting', balancer.restMs());
      }
      try {
        const answer = await callOne(backend, request, exchange, options);
        backend.circuit.succeed();
        return answer;
      } catch (error) {
        fault = error;
        if (isGone(error)) throw error;
        backend.circuit.fail();
        metrics.failed(name, reasonOf(error));
        if (!(error instanceof NothingSent)) throw error instanceof AppError ? error : unavailable(error);
        tried.add(backend);
      }
    }
  };

  return {
    name,
    async call(request, client) {
      if (client.destroyed) throw gone();
      if (waiting >= MAX_WAITING) throw unavailable('too many calls are waiting');
      waiting += 1;
      const startedMs = performance.now();
      const exchange: Exchange = { cancelled: null, cancel: (reason) => (exchange.cancelled = reason) };
      const deadline = setTimeout(() => exchange.cancel(tooSlow()), timeoutMs);
      client.once('close', () => {
        if (!client.writableFinished) exchange.cancel(gone());
      });
      try {
        return await callAny(request, exchange);
      } finally {
        waiting -= 1;
        clearTimeout(deadline);
        metrics.took(name, (performance.now() - startedMs) / 1_000);
      }
    },
    part: {
      ...addresses,
      name: `upstream-${name}`,
      async start() {
        // A name that can't be resolved yet is asked for again and again; no start waits for it.
        await balancer.refresh().catch(() => {});
        await addresses.start();
      },
      async stop() {
        await addresses.stop();
        await balancer.close();
      },
    },
  };
}

function callOne(
  backend: Backend,
  request: BackendRequest,
  exchange: Exchange,
  { timeoutMs, takenWithinMs }: { timeoutMs: number; takenWithinMs: number },
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  let answer: IncomingAnswer | null = null;
  let isSent = false;
  let abort: ((reason: Error) => void) | null = null;
  if (exchange.cancelled) return Promise.reject(exchange.cancelled);
  exchange.cancel = (reason) => {
    exchange.cancelled = reason;
    reject(reason);
    abort?.(reason);
  };
  backend.underWay += 1;
  backend.circuit.begin();
  backend.pool.dispatch(
    { ...request, headersTimeout: 0, bodyTimeout: timeoutMs },
    {
      onRequestStart(controller) {
        if (exchange.cancelled) return controller.abort(exchange.cancelled);
        isSent = true;
        abort = (reason) => controller.abort(reason);
      },
      onResponseStart(controller, status, headers) {
        if (status < 200) return;
        answer = createAnswer(controller, { status, headers }, takenWithinMs);
        resolve(answer);
      },
      onResponseData(_controller, chunk) {
        answer?.add(chunk);
      },
      onResponseEnd() {
        backend.underWay -= 1;
        answer?.end();
      },
      onResponseError(_controller, error) {
        backend.underWay -= 1;
        if (answer) answer.fail(error);
        else reject(isSent ? error : new NothingSent('nothing was sent', { cause: error }));
      },
    },
  );
  return promise;
}

/** 503, to be tried again. The cause is for the log only. */
export const unavailable = (cause: unknown, retryMs = 1_000) =>
  new AppError('service_unavailable', 'The service is not available at the moment. Please try again.', {
    cause,
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryMs / 1_000))) },
  });

const tooSlow = () => new AppError('upstream_timeout', 'The service took too long to answer.');

/** Nobody hears it; it only ends what is under way. */
const gone = () => new AppError('bad_request', 'The client has gone.');
const isGone = (error: unknown) => error instanceof AppError && error.code === 'bad_request';

function reasonOf(error: unknown): 'unreachable' | 'timeout' | 'broken' {
  if (error instanceof NothingSent) return 'unreachable';
  return error instanceof AppError ? 'timeout' : 'broken';
}
