import { type Logger, loop, type Part } from '@frontdesk/service';
import type { DeliveryQueue, Lease } from '../data/queue.repository.ts';

/** Bounds the size of one statement. */
const BATCH_LEASES = 1_000;
const MAX_BACKOFF_MS = 1_000;

export interface LeaseReturns extends Part {
  /** Ends leases that nobody uses. Resolves once they are over: given back, or by themselves. Never rejects. */
  giveBack(leases: readonly Lease[]): Promise<void>;
  start(): Promise<void>;
  /** Tries once more to give back what is left; it ends with this process's session. */
  stop(): Promise<void>;
}

interface Waiting {
  lease: Lease;
  endsAtMs: number;
  resolve: () => void;
}

/**
 * Gives back leases that came to nothing, for as long as it takes or they last: a database that refuses to write for a moment
 * must not keep what waits from everybody until the leases run out.
 */
export function createLeaseReturns(options: {
  queue: Pick<DeliveryQueue, 'release'>;
  leaseMs: number;
  logger: Logger;
}): LeaseReturns {
  const { queue, leaseMs, logger } = options;
  let waiting: Waiting[] = [];
  let hasStopped = false;

  const returnBatch = async () => {
    const batch = waiting.slice(0, BATCH_LEASES);
    const now = performance.now();
    const lasting = batch.filter(({ endsAtMs }) => endsAtMs > now);
    if (lasting.length > 0) await queue.release(lasting.map(({ lease }) => lease));
    waiting = waiting.slice(batch.length);
    for (const { resolve } of batch) resolve();
    return waiting.length > 0;
  };
  const worker = loop({
    name: 'lease returns',
    intervalMs: MAX_BACKOFF_MS,
    maxBackoffMs: MAX_BACKOFF_MS,
    logger,
    run: returnBatch,
  });
  const returnTheRest = async () => {
    try {
      while (await returnBatch());
    } catch (error) {
      logger.warn(
        { err: error, leases: waiting.length },
        'leases were not given back: they end with the session',
      );
      for (const { resolve } of waiting.splice(0)) resolve();
    }
  };

  return {
    name: worker.name,
    async giveBack(leases) {
      const endsAtMs = performance.now() + leaseMs;
      const returned = leases.map((lease) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.push({ lease, endsAtMs, resolve });
        return promise;
      });
      if (hasStopped) await returnTheRest();
      else worker.wake();
      await Promise.all(returned);
    },
    start: () => worker.start(),
    async stop() {
      await worker.stop();
      hasStopped = true;
      await returnTheRest();
    },
  };
}
