import type { Metrics } from '@frontdesk/service';
import { Counter, Gauge } from 'prom-client';

const WAITING = 'database_waiting';
const REFUSED = 'database_refused_total';

/** Of all databases of a process together: the first one registers them. */
export function bulkheadMetrics({ registry }: Metrics) {
  const registers = [registry];
  const known = (name: string) => registry.getSingleMetric(name);
  const waitingHelp = 'Statements and transactions that wait for a connection.';
  const refusedHelp =
    'Those that were answered 503, because none came free in time or too many of a tenant waited.';
  return {
    waiting: (known(WAITING) ?? new Gauge({ name: WAITING, help: waitingHelp, registers })) as Gauge,
    refused: (known(REFUSED) ?? new Counter({ name: REFUSED, help: refusedHelp, registers })) as Counter,
  };
}
