import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import {
  createLocalLimiter,
  type Grant,
  isFull,
  type RateWindow,
  type SharedLimiter,
  windowEndMs,
} from '@frontdesk/redis';
import type { Logger } from '@frontdesk/service';
import { shareOf } from './rate-limit.rules.ts';

/** While Redis is away one request in this many milliseconds asks whether it is back; none waits for the answer. */
const PROBE_INTERVAL_MS = 100;
/** A full Redis accepts a count now and then. It is asked only this often, so that the log does not fill with its return and loss. */
const FULL_PROBE_INTERVAL_MS = 5_000;
/** Counts for tenant 0, which does not exist: the question has to be a write, as a full Redis still answers reads. */
const PROBED = 'tenant:0';
const PROBED_WINDOW: RateWindow = { seconds: 60, limit: Number.MAX_SAFE_INTEGER };

export interface RateLimitStore {
  /** The class of stores for @fastify/rate-limit. */
  Store: FastifyRateLimitStoreCtor;
  /** Whether this gateway counts by itself at this moment, as Redis is away. */
  isLocal(): boolean;
  /** The limit that this gateway applies: all of it or, while it counts by itself, its share. */
  limitHere(limit: number): number;
}

type Answer = Parameters<FastifyRateLimitStore['incr']>[1];

/**
 * A store for @fastify/rate-limit with fixed windows, which compares with the limit before it counts. It counts in Redis or, while Redis
 * is away or full, in this process. The request that notices this gets an error; when the limiter asks again, it is counted here.
 */
export function createRateLimitStore(options: {
  /** Fails if Redis does not answer in time. */
  shared: SharedLimiter;
  /** How many gateways there are. */
  gateways: () => number;
  logger: Logger;
}): RateLimitStore {
  const { shared, gateways, logger } = options;
  let isLocal = false;
  let nextProbeMs = 0;

  // Both switch in a later turn of the event loop: the plugin reads the limit and asks the store in one turn, so both fit each other.
  const failed = (error: unknown, then?: () => void) =>
    setImmediate(() => {
      if (!isLocal) logger.warn({ err: error }, 'shared rate limits are away, counting locally');
      isLocal = true;
      if (isFull(error)) nextProbeMs = Date.now() + FULL_PROBE_INTERVAL_MS;
      then?.();
    });
  const isBack = () =>
    setImmediate(() => {
      if (isLocal) logger.info('shared rate limits are back');
      isLocal = false;
    });
  const probe = () => {
    if (Date.now() < nextProbeMs) return;
    nextProbeMs = Date.now() + PROBE_INTERVAL_MS;
    shared.take(PROBED, PROBED_WINDOW).then(isBack, (error) => failed(error));
  };

  class Store implements FastifyRateLimitStore {
    /** Each limiter has its own, so that a flood of one kind can't push the others' subjects out. */
    readonly #local = createLocalLimiter();

    /** One more request of the key, which counts only if it is within `max`. */
    incr(key: string, answer: Answer, timeWindow: number, max: number): void {
      this.#count(1, key, answer, { seconds: timeWindow / 1_000, limit: max });
    }

    read(key: string, answer: Answer, timeWindow: number, max: number): void {
      this.#count(0, key, answer, { seconds: timeWindow / 1_000, limit: max });
    }

    child(): FastifyRateLimitStore {
      return new Store();
    }

    #count(count: 0 | 1, key: string, answer: Answer, window: RateWindow): void {
      // One beyond the limit if the request was not granted.
      const counted = ({ used, nowMs }: Grant) =>
        answer(null, { current: used + count, ttl: windowEndMs(window, nowMs) - nowMs });
      if (isLocal) {
        probe();
        counted(this.#local.take(key, window, count));
      } else
        shared.take(key, window, count).then(counted, (error) => failed(error, () => answer(error as Error)));
    }
  }

  return {
    Store,
    isLocal: () => isLocal,
    limitHere: (limit) => (isLocal ? shareOf(limit, gateways()) : limit),
  };
}
