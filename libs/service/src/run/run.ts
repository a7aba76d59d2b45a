import { setTimeout as delay } from 'node:timers/promises';
import { within } from '@frontdesk/fair';
import { collectDefaultMetrics } from 'prom-client';
import type { z } from 'zod';
import { LONGEST_MS, loadConfig, type ServiceConfig } from '../config/config.ts';
import { createMetrics, type Metrics } from '../metrics/metrics.ts';
import { startTracing } from '../tracing/start-tracing.ts';
import { type Component, startComponents } from './component.ts';
import { createLogger, type Logger } from './logging.ts';

/** The argument of a process that only loads its service, for Node's compile cache, and ends. */
const LOAD_ONLY = '--load-only';

export interface ServiceContext {
  logger: Logger;
  metrics: Metrics;
}

/**
 * The whole life of a service process: configuration, start in order, and on SIGTERM or SIGINT a stop in reverse that
 * ends with exit code 0. Before it, for DRAIN_MS or until a second signal, the process is not ready, sends clients elsewhere and goes
 * on answering. An error that nobody has caught is logged and stops the process at once, with exit code 1.
 * A stop that hangs is cut off after SHUTDOWN_TIMEOUT_MS with exit code 1. An engine's refusal stops the process the same way, and is
 * the last line of its log.
 */
export async function run<Schema extends z.ZodType<ServiceConfig>>(options: {
  name: string;
  configSchema: Schema;
  build: (config: z.output<Schema>, context: ServiceContext) => Promise<Component[]>;
}): Promise<void> {
  if (process.argv.includes(LOAD_ONLY)) return;
  let logger = createLogger({ name: options.name, level: 'info' });
  try {
    const config = loadConfig(options.configSchema);
    logger = createLogger({ name: options.name, level: config.LOG_LEVEL });
    const stops = listenForStops(config, logger);
    const tracing = await startTracing(options.name, config, logger);
    const metrics = createMetrics();
    // Here, once in a process: their observer of garbage collection lasts until the process ends.
    collectDefaultMetrics({ register: metrics.registry });
    const components = await options.build(config, { logger, metrics });
    const running = await startComponents(components, logger);
    logger.info('started');
    const refusals = components.flatMap(({ refused }) => refused ?? []);
    const drained = stops.drain.then(async () => {
      for (const component of components) component.drain?.();
      await delay(config.DRAIN_MS, undefined, { signal: stops.endDrain }).catch(() => {});
    });
    await Promise.race([drained, stops.stop, ...refusals]).catch(async (refusal) => {
      await within(config.SHUTDOWN_TIMEOUT_MS, running.stop(), () => {});
      throw refusal;
    });
    stops.endWithin(config.SHUTDOWN_TIMEOUT_MS);
    await running.stop();
    await tracing.stop();
    logger.info('stopped');
    // Exit code 0, or the one that an uncaught error has set.
    process.exit();
  } catch (error) {
    logger.fatal({ err: error }, error instanceof Error ? error.message : 'failed to start');
    process.exit(1);
  }
}

interface Stops {
  /** Resolves at the first signal. */
  drain: Promise<void>;
  /** Aborts at the second signal. */
  endDrain: AbortSignal;
  /** Resolves at an uncaught error. */
  stop: Promise<void>;
  /** Ends the process after so long, whatever still runs in it. */
  endWithin(ms: number): void;
}

type StopConfig = Pick<ServiceConfig, 'SHUTDOWN_TIMEOUT_MS' | 'DRAIN_MS'>;

function listenForStops({ SHUTDOWN_TIMEOUT_MS, DRAIN_MS }: StopConfig, logger: Logger): Stops {
  const { promise: drain, resolve: startDrain } = Promise.withResolvers<void>();
  const { promise: stop, resolve: startStop } = Promise.withResolvers<void>();
  const draining = new AbortController();
  let isSignalled = false;
  const endWithin = (ms: number) => {
    setTimeout(() => {
      logger.fatal('stop took too long');
      process.exit(1);
    }, ms).unref();
  };
  // Not once: a second signal or error during the stop must not kill the process half way.
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => {
      logger.info({ signal }, 'stopping');
      if (isSignalled) return draining.abort();
      isSignalled = true;
      // Also where the start hangs.
      endWithin(Math.min(DRAIN_MS + SHUTDOWN_TIMEOUT_MS, LONGEST_MS));
      startDrain();
    });
  }
  // Node raises an unhandled rejection as an uncaught exception too.
  process.on('uncaughtException', (error, origin) => {
    logger.fatal({ err: error, origin }, 'uncaught error, stopping');
    process.exitCode = 1;
    endWithin(SHUTDOWN_TIMEOUT_MS);
    startStop();
  });
  return { drain, endDrain: draining.signal, stop, endWithin };
}
