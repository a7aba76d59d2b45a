import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from './version.ts';

/** The service's own registry and the one metric that every service has. */
export interface Metrics {
  registry: Registry;
  /** Seconds from a request's arrival to its answer, by method, route pattern and status. */
  requestDuration: Histogram<'method' | 'route' | 'status'>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'build_info',
    help: 'Always 1; the label is the release that the process runs.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: VERSION }, 1);
  return {
    registry,
    requestDuration: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Seconds from a request’s arrival to its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [registry],
    }),
  };
}
