import { AppError, type Metrics } from '@frontdesk/service';
import { bulkheadMetrics } from './bulkhead-metrics.ts';

/** Who holds a connection: a tenant, by its id, or the service itself, for all of them. */
export type Holder = number | 'system';

/** So many of a tenant's requests may wait while other tenants wait too; the next one is refused at once. */
const TENANT_QUEUE = 50;

interface Waiter {
  enter(): void;
  timer: NodeJS.Timeout;
}

export interface Bulkhead {
  /** Does the work while the holder holds one connection more. @throws AppError 503 when none came free in time */
  run<Result>(holder: Holder, work: () => Promise<Result>): Promise<Result>;
}

/**
 * Shares a pool's connections out, so that no tenant takes all of them from the others. A connection that comes free goes to
 * the waiting holder that has the fewest; among equals they take turns. So a tenant alone may have all of them, and while
 * another one waits at most half. The system counts as one that has none: tenants' requests don't hold up workers.
 *
 * It stands before the pool, whose own queue, which knows no tenants, then stays empty.
 */
export function createBulkhead(options: {
  connections: number;
  /** Longest wait for a connection: of a tenant's request while other tenants wait too, and of all others. */
  waitMs: { contended: number; alone: number };
  metrics?: Metrics | undefined;
}): Bulkhead {
  const { waitMs } = options;
  const metrics = options.metrics && bulkheadMetrics(options.metrics);
  let free = options.connections;
  const held = new Map<Holder, number>();
  /** In the order of turns. Nobody waits while a connection is free. */
  const queues = new Map<Holder, Set<Waiter>>();

  const heldBy = (holder: Holder) => (holder === 'system' ? 0 : (held.get(holder) ?? 0));

  const take = (holder: Holder) => {
    free -= 1;
    held.set(holder, (held.get(holder) ?? 0) + 1);
  };

  const next = (): Holder | undefined => {
    let found: Holder | undefined;
    for (const holder of queues.keys()) {
      if (found === undefined || heldBy(holder) < heldBy(found)) found = holder;
    }
    return found;
  };

  const leaveQueue = (holder: Holder, queue: Set<Waiter>, waiter: Waiter) => {
    clearTimeout(waiter.timer);
    queue.delete(waiter);
    if (queue.size === 0) queues.delete(holder);
    metrics?.waiting.dec();
  };

  const giveBack = (holder: Holder) => {
    free += 1;
    const left = (held.get(holder) ?? 0) - 1;
    if (left > 0) held.set(holder, left);
    else held.delete(holder);

    const served = next();
    if (served === undefined) return;
    const queue = queues.get(served) ?? new Set();
    const [waiter] = queue;
    if (!waiter) return;
    // Its next turn comes after the others'.
    queues.delete(served);
    queues.set(served, queue);
    leaveQueue(served, queue, waiter);
    take(served);
    waiter.enter();
  };

  const refused = () => {
    metrics?.refused.inc();
    return new AppError('service_unavailable', 'The service is busy. Please try again.', {
      headers: { 'retry-after': '1' },
    });
  };

  /** Whether a tenant waits beside others: only then does it keep somebody waiting. */
  const isContended = (holder: Holder) =>
    holder !== 'system' && queues.keys().some((other) => other !== holder && other !== 'system');

  const wait = (holder: Holder): Promise<void> => {
    const queue = queues.get(holder) ?? new Set();
    if (queue.size >= TENANT_QUEUE && isContended(holder)) throw refused();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      leaveQueue(holder, queue, waiter);
      reject(refused());
    };
    const endContended = () => {
      if (isContended(holder)) giveUp();
      else waiter.timer = setTimeout(giveUp, waitMs.alone - waitMs.contended);
    };
    const isShort = holder !== 'system' && waitMs.contended < waitMs.alone;
    const timer = isShort ? setTimeout(endContended, waitMs.contended) : setTimeout(giveUp, waitMs.alone);
    const waiter: Waiter = { enter: resolve, timer };
    queues.set(holder, queue.add(waiter));
    metrics?.waiting.inc();
    return promise;
  };

  return {
    async run(holder, work) {
      if (free > 0) take(holder);
      else await wait(holder);
      try {
        return await work();
      } finally {
        giveBack(holder);
      }
    },
  };
}
