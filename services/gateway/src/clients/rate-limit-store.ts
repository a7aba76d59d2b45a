import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { RateWindow, SharedLimiter } from '@frontdesk/redis';
import type { Logger } from '@frontdesk/service';
import { type Decision, decisionFor, shareOf } from '../domain/rate-limit.ts';
import { createLocalLimiter } from '../state/local-limiter.ts';

/** While Redis is away one request in this many milliseconds asks whether it is back; none waits for the answer. */
const PROBE_INTERVAL_MS = 100;

/**
 * The plugin's key. The plugin itself knows one window and one number, so the windows are in the key, and so is the store's
 * decision afterwards.
 */
export interface RateLimitKey {
  subject: string;
  windows: readonly RateWindow[];
  decision: Decision | null;
}

/**
 * A store for @fastify/rate-limit that decides by all windows of a subject at once: by the count in Redis, or by this
 * gateway's share of the limits where that doesn't come in time.
 */
export function createRateLimitStore(options: {
  /** It has to answer in time, or fail. */
  shared: SharedLimiter;
  /** How many gateways there are. */
  gateways: () => number;
  logger: Logger;
}): FastifyRateLimitStoreCtor {
  const { gateways } = options;
  const sharedCount = createSharedCount(options);

  return class Store implements FastifyRateLimitStore {
    /** Each limiter has its own, so that a flood of one kind can't push the others' subjects out. */
    readonly #local = createLocalLimiter();

    incr(key: unknown, answer: Answer, _timeWindow: number, max: number): void {
      void this.#decide(key as RateLimitKey, 1).then(({ allowed, windows }) =>
        // The plugin refuses by `current > max`, and nothing else.
        answer(null, { current: allowed ? 0 : max + 1, ttl: (windows[0]?.secondsLeft ?? 0) * 1_000 }),
      );
    }

    read(key: unknown, answer: Answer): void {
      void this.#decide(key as RateLimitKey, 0).then(() => answer(null, { current: 0, ttl: 0 }));
    }

    child(): FastifyRateLimitStore {
      return new Store();
    }

    async #decide(key: RateLimitKey, count: number): Promise<Decision> {
      const { subject, windows } = key;
      const grant = await sharedCount(subject, windows, count);
      const share = grant ? windows : shareOf(windows, gateways());
      key.decision = grant
        ? decisionFor(windows, grant, 'shared')
        : decisionFor(share, this.#local.take(subject, share, count), 'local');
      return key.decision;
    }
  };
}

type Answer = Parameters<FastifyRateLimitStore['incr']>[1];

/** The shared count, as long as it answers in time: null while it is away. Only the request that finds it away waits for that. */
function createSharedCount({ shared, logger }: { shared: SharedLimiter; logger: Logger }) {
  let isAway = false;
  let lastProbeMs = 0;

  const probe = (subject: string, windows: readonly RateWindow[]) => {
    if (Date.now() - lastProbeMs < PROBE_INTERVAL_MS) return;
    lastProbeMs = Date.now();
    shared.take(subject, windows, 0).then(
      () => {
        if (isAway) logger.info('shared rate limits are back');
        isAway = false;
      },
      () => {},
    );
  };

  return async (subject: string, windows: readonly RateWindow[], count: number) => {
    if (isAway) {
      probe(subject, windows);
      return null;
    }
    try {
      return await shared.take(subject, windows, count);
    } catch (error) {
      if (!isAway) logger.warn({ err: error }, 'shared rate limits are away, counting locally');
      isAway = true;
      return null;
    }
  };
}
