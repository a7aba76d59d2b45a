import type { z } from 'zod';
import { loadConfig, type ServiceConfig } from './config.ts';
import { createLogger, type Logger } from './logging.ts';
import { memoryReducer } from './memory.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { type Part, startParts } from './part.ts';

/** The argument of a process that only loads its service, for Node's compile cache, and ends. */
const LOAD_ONLY = '--load-only';

export interface ServiceContext {
  logger: Logger;
  metrics: Metrics;
}

/**
 * The whole life of a service process: configuration, start in order, and on SIGTERM or SIGINT a stop in reverse that
 * ends with exit code 0. A stop that hangs is cut off after SHUTDOWN_TIMEOUT_MS with exit code 1.
 */
export async function run<Schema extends z.ZodType<ServiceConfig>>(options: {
  name: string;
  configSchema: Schema;
  build: (config: z.output<Schema>, context: ServiceContext) => Promise<Part[]>;
}): Promise<void> {
  if (process.argv.includes(LOAD_ONLY)) return;
  let logger = createLogger({ name: options.name, level: 'info' });
  try {
    const config = loadConfig(options.configSchema);
    logger = createLogger({ name: options.name, level: config.LOG_LEVEL });
    const stopRequested = Promise.race([onceSignalled('SIGTERM'), onceSignalled('SIGINT')]);
    const parts = await options.build(config, { logger, metrics: createMetrics() });
    const running = await startParts([memoryReducer(), ...parts], logger);
    logger.info('started');
    const signal = await stopRequested;
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.fatal('stop took too long');
      process.exit(1);
    }, config.SHUTDOWN_TIMEOUT_MS).unref();
    await running.stop();
    logger.info('stopped');
    process.exit(0);
  } catch (error) {
    logger.fatal({ err: error }, error instanceof Error ? error.message : 'failed to start');
    process.exit(1);
  }
}

function onceSignalled(signal: 'SIGTERM' | 'SIGINT'): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  // Not once: a second signal during the stop must not kill the process half way.
  process.on(signal, resolve);
  return promise;
}
