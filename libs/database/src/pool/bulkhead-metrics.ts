import type { Metrics } from '@frontdesk/service';
import { Counter, Gauge } from 'prom-client';

const WAITING = 'database_waiting';
const REFUSED = 'database_refused_total';

/** Metrics of all bulkheads of a process together: the first bulkhead registers them. */
export function bulkheadMetrics({ registry }: Metrics) {
  const registers = [registry];
  const known = (name: string) => registry.getSingleMetric(name);
  const waitingHelp = 'Statements and transactions that wait for a connection.';
  const refusedHelp =
    'Statements and transactions that were refused (503): the queue of the tenant was full, or no connection came free in time.';
  return {
    waiting: (known(WAITING) ?? new Gauge({ name: WAITING, help: waitingHelp, registers })) as Gauge,
    refused: (known(REFUSED) ?? new Counter({ name: REFUSED, help: refusedHelp, registers })) as Counter,
  };
}
