import { createFairQueue, within } from '@frontdesk/fair';
import { AppError, type Metrics } from '@frontdesk/service';
import { bulkheadMetrics } from './pool-metrics.ts';

/** Who holds a connection: a tenant (its id), or the service itself, for work across tenants and work in the background. */
export type Holder = number | 'system';

/** Longest queue of a tenant, in statements and transactions, while other tenants wait too: the next one is refused at once. */
const TENANT_QUEUE = 50;

export interface Bulkhead {
  /**
   * Runs the work, which may use one connection of the pool.
   * @throws AppError `service_unavailable` when the queue is full, no connection comes free in time, or a tenant's work does not end
   * in time. The work then goes on, with its connection, up to the bounds of its statements.
   * @param isRequest whether somebody waits for it who has to be answered in time, as a tenant's requests always have
   */
  run<Result>(holder: Holder, work: () => Promise<Result>, isRequest?: boolean): Promise<Result>;
}

/**
 * Shares a pool's connections among tenants, by a fair queue. The system always counts as holding none, so that tenants' requests
 * don't hold up workers.
 *
 * The pool's own queue knows no tenants. It stays empty, because nothing reaches the pool without a free connection.
 */
export function createBulkhead(options: {
  connections: number;
  /** Longest waits for a connection, in milliseconds: of a tenant's request while other tenants wait too, and of all others. */
  waitMs: { contended: number; alone: number };
  /** Longest that a request waits for the end of its work, that for a connection included. */
  requestMs?: number;
  metrics?: Metrics | undefined;
}): Bulkhead {
  const { requestMs } = options;
  const metrics = options.metrics && bulkheadMetrics(options.metrics);
  const refusal = () => {
    metrics?.refused.inc();
    return new AppError('service_unavailable', 'The service is busy. Please try again.', {
      headers: { 'retry-after': '1' },
    });
  };
  const connections = createFairQueue<Holder>({
    places: options.connections,
    waiting: { contended: TENANT_QUEUE, alone: Number.POSITIVE_INFINITY },
    waitMs: options.waitMs,
    isPrivileged: (holder) => holder === 'system',
    refusal,
    onWait: () => metrics?.wait.startTimer(),
  });
  metrics?.watchWaiting(connections.waiting);

  return {
    run(holder, work, isRequest = holder !== 'system') {
      const running = connections.run(holder, work);
      if (!isRequest || requestMs === undefined) return running;
      return within(requestMs, running, () => {
        throw refusal();
      });
    },
  };
}
