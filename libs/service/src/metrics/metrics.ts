import { within } from '@frontdesk/fair';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from '../config/version.ts';
import { createGauges, type WatchGauge } from './gauges.ts';

/** An engine that says nothing for so long counts as not connected. Less than what a scrape waits for any reading. */
const CONNECTED_WITHIN_MS = 1_500;

const ENGINE_CONNECTED = {
  name: 'engine_connected',
  help: 'Whether the process is connected to an engine (1) or not (0).',
  labelNames: ['engine', 'connection'],
};

/**
 * The service's own registry and the metrics that every service has; `run` adds those of its process. docs/metrics.md says which
 * question each answers.
 */
export interface Metrics {
  registry: Registry;
  /** Seconds from a request's arrival to its answer, by method, route pattern and status. */
  requestDuration: Histogram<'method' | 'route' | 'status'>;
  /** Failures that clients were answered, by route pattern and error code. */
  errors: Counter<'route' | 'code'>;
  /** Seconds until another service's answer had been read; the status is `none` where there was none. */
  callDuration: Histogram<'service' | 'status'>;
  watch: WatchGauge;
  /**
   * Reports at each scrape whether the process is connected; an engine that hangs counts as not connected. Of several
   * connections of one name, all have to be.
   */
  watchConnection(
    engine: 'postgresql' | 'redis' | 'kafka',
    connection: string,
    isConnected: () => boolean | Promise<boolean>,
  ): void;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: 'build_info',
    help: 'Always 1; the label is the release that the process runs.',
    labelNames: ['version'],
    registers,
  }).set({ version: VERSION }, 1);
  const watch = createGauges(registry);
  const connections = new Map<string, (() => Promise<boolean | null>)[]>();
  return {
    registry,
    requestDuration: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Seconds from a request’s arrival to its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: SECONDS,
      registers,
    }),
    errors: new Counter({
      name: 'http_errors_total',
      help: 'Failures that were answered, by error code.',
      labelNames: ['route', 'code'],
      registers,
    }),
    callDuration: new Histogram({
      name: 'http_client_duration_seconds',
      help: 'Seconds until the answer of another service was read; status is none where there was no answer.',
      labelNames: ['service', 'status'],
      buckets: SECONDS,
      registers,
    }),
    watch,
    watchConnection(engine, connection, isConnected) {
      const answerOf = async () => isConnected();
      const isAnswering = () => within(CONNECTED_WITHIN_MS, answerOf(), () => false).catch(() => false);
      const name = `${engine} ${connection}`;
      const known = connections.get(name);
      if (known) return void known.push(isAnswering);
      const all = [isAnswering];
      connections.set(name, all);
      watch(ENGINE_CONNECTED, async () => {
        const answers = await Promise.all(all.map((each) => each()));
        return [{ labels: { engine, connection }, value: Number(answers.every(Boolean)) }];
      });
    },
  };
}
