import type { Metrics } from '@frontdesk/service';
import { Counter, Histogram } from 'prom-client';
import type { ConnectionPool } from './connection-pool.ts';

const REFUSED = 'database_refused_total';
const WAIT = 'database_wait_seconds';

/** Metrics of all bulkheads of a process together: the first bulkhead registers them. */
export function bulkheadMetrics({ registry, watch }: Metrics) {
  const registers = [registry];
  const known = (name: string) => registry.getSingleMetric(name);
  const refused = (known(REFUSED) ??
    new Counter({
      name: REFUSED,
      help: 'Statements and transactions that were refused (503): the queue of the tenant was full, or no connection came free in time.',
      registers,
    })) as Counter;
  const wait = (known(WAIT) ??
    new Histogram({
      name: WAIT,
      help: 'Seconds that statements and transactions waited for a connection; those that did not wait are not counted.',
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    })) as Histogram;
  return {
    refused,
    wait,
    watchWaiting(count: () => number) {
      const help = 'Statements and transactions that wait for a connection.';
      watch({ name: 'database_waiting', help }, count);
    },
  };
}

/** The connections of a pool. Several pools of a process add up. */
export function watchPool(pool: ConnectionPool, most: number, { watch }: Metrics): void {
  const help = 'Open connections of the pools to PostgreSQL.';
  watch({ name: 'database_connections', help, labelNames: ['state'] }, () => {
    const { open, idle } = pool.size();
    return [
      { labels: { state: 'in_use' }, value: open - idle },
      { labels: { state: 'idle' }, value: idle },
    ];
  });
  watch({ name: 'database_connections_max', help: 'Connections that the pools may open.' }, () => most);
}
