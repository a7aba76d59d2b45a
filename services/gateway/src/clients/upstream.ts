import type { ServerResponse } from 'node:http';
import { type Logger, loop, type Part } from '@frontdesk/service';
import type { AnswerRoom } from './answer-room.ts';
import type { Answer, Taking } from './backend-answer.ts';
import { type BackendRequest, callBackend, type Exchange } from './backend-call.ts';
import { type Backend, createBalancer, type ResolveName } from './balancer.ts';
import { gone, NothingSent, tooSlow, unavailable } from './failures.ts';
import type { FailureReason, UpstreamMetrics } from './upstream-metrics.ts';

/** More than this waiting for one service won't be answered in time either: refused, not queued. */
const MAX_WAITING = 2_048;
const NONE: ReadonlySet<Backend> = new Set();
/** How soon a new process of a service gets its part of the calls. */
const REFRESH_MS = 5_000;

/** A service that the gateway forwards to, at all addresses behind its name. */
export interface Upstream {
  name: string;
  /**
   * The answer, once it has begun. A client that goes away takes its call with it; one that doesn't keep up with its answer takes of
   * the holder's room.
   * @throws AppError 503 where no address can be reached, 504 where no answer begins in time
   */
  call(request: BackendRequest, client: ServerResponse, holder: number | string): Promise<Answer>;
  part: Part;
}

export function createUpstream(options: {
  name: string;
  url: string;
  /** Longest wait for an answer to begin, whatever is tried meanwhile. */
  timeoutMs: number;
  /** Longest that a client may take over an answer. */
  takenWithinMs: number;
  answerRoom: AnswerRoom;
  metrics: UpstreamMetrics;
  logger: Logger;
  resolveName?: ResolveName;
}): Upstream {
  const { name, url, timeoutMs, takenWithinMs, answerRoom, metrics, logger } = options;
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
  const onFailure = (reason: FailureReason) => metrics.failed(name, reason);
  let waiting = 0;

  /** To the address with the least to do, and on to the next one only where nothing was sent. */
  const callAny = async (request: BackendRequest, exchange: Exchange, taking: Taking): Promise<Answer> => {
    let tried = NONE;
    let fault: unknown = 'no address is known';
    for (;;) {
      const backend = balancer.pick(tried);
      if (!backend) {
        if (tried.size > 0 || balancer.backends().length === 0) throw unavailable(fault);
        throw unavailable('all addresses are resting', balancer.restMs());
      }
      try {
        return await callBackend(backend, request, exchange, { timeoutMs, taking, onFailure });
      } catch (error) {
        if (!(error instanceof NothingSent)) throw error;
        fault = error;
        tried = new Set(tried).add(backend);
      }
    }
  };

  return {
    name,
    async call(request, client, holder) {
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
        const openPlace = (onEvicted: () => void) => answerRoom.open(holder, onEvicted);
        return await callAny(request, exchange, { takenWithinMs, openPlace });
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
