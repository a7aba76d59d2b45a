import { AppError, type Metrics } from '@frontdesk/service';
import { bulkheadMetrics } from './pool-metrics.ts';

/** Who holds a connection: a tenant (its id), or the service itself, for work across tenants and work in the background. */
export type Holder = number | 'system';

/** Longest queue of a tenant, in statements and transactions, while other tenants wait too: the next one is refused at once. */
const TENANT_QUEUE = 50;

interface Waiter {
  enter(): void;
  timer: NodeJS.Timeout;
}

export interface Bulkhead {
  /**
   * Runs the work, which may use one connection of the pool.
   * @throws AppError `service_unavailable` when the queue is full, or no connection comes free in time
   */
  run<Result>(holder: Holder, work: () => Promise<Result>): Promise<Result>;
}

/**
 * Shares a pool's connections among tenants. A connection that comes free goes to the waiting holder with the fewest;
 * equals take turns. So one tenant alone may use all connections, and at most half while another one waits. The system
 * always counts as holding none, so that tenants' requests don't hold up workers.
 *
 * The pool's own queue knows no tenants. It stays empty, because nothing reaches the pool without a free connection.
 */
export function createBulkhead(options: {
  connections: number;
  /** Longest waits for a connection, in milliseconds: of a tenant's request while other tenants wait too, and of all others. */
  waitMs: { contended: number; alone: number };
  metrics?: Metrics | undefined;
}): Bulkhead {
  const { waitMs } = options;
  const metrics = options.metrics && bulkheadMetrics(options.metrics);
  let free = options.connections;
  const held = new Map<Holder, number>();
  /** In the order of turns. All are empty while a connection is free. */
  const queues = new Map<Holder, Set<Waiter>>();

  metrics?.watchWaiting(() => queues.values().reduce((sum, { size }) => sum + size, 0));

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
    const endTimer = metrics?.wait.startTimer();
    return promise.finally(endTimer);
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
