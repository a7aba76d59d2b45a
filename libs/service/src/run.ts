import { setTimeout as delay } from 'node:timers/promises';
import { collectDefaultMetrics } from 'prom-client';
import type { z } from 'zod';
import { type Component, startComponents } from './component.ts';
import { loadConfig, type ServiceConfig } from './config.ts';
import { createLogger, type Logger } from './logging.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { startTracing } from './tracing/start-tracing.ts';

/** The argument of a process that only loads its service, for Node's compile cache, and ends. */
const LOAD_ONLY = '--load-only';

export interface ServiceContext {
  logger: Logger;
  metrics: Metrics;
}

/**
 * The whole life of a service process: configuration, start in order, and on SIGTERM or SIGINT a stop in reverse that
 * ends with exit code 0. An error that nobody has caught is logged and stops the process the same way, with exit code 1.
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
    const stopRequested = onceStopRequested(config.SHUTDOWN_TIMEOUT_MS, logger);
    const tracing = await startTracing(options.name, config, logger);
    const metrics = createMetrics();
    // Here, once in a process: their observer of garbage collection lasts until the process ends.
    collectDefaultMetrics({ register: metrics.registry });
    const components = await options.build(config, { logger, metrics });
    const running = await startComponents(components, logger);
    logger.info('started');
    const refusals = components.flatMap(({ refused }) => refused ?? []);
    await Promise.race([stopRequested, ...refusals]).catch(async (refusal) => {
      await Promise.race([running.stop(), delay(config.SHUTDOWN_TIMEOUT_MS)]);
      throw refusal;
    });
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

/** Resolves at the first signal or uncaught error. The process then has `timeoutMs` to end. */
function onceStopRequested(timeoutMs: number, logger: Logger): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isRequested = false;
  const request = () => {
    if (isRequested) return;
    isRequested = true;
    setTimeout(() => {
      logger.fatal('stop took too long');
      process.exit(1);
    }, timeoutMs).unref();
    resolve();
  };
  // Not once: a second signal or error during the stop must not kill the process half way.
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => {
      logger.info({ signal }, 'stopping');
      request();
    });
  }
  // Node raises an unhandled rejection as an uncaught exception too.
  process.on('uncaughtException', (error, origin) => {
    logger.fatal({ err: error, origin }, 'uncaught error, stopping');
    process.exitCode = 1;
    request();
  });
  return promise;
}
