import type { Logger } from '../run/logging.ts';
import type { TracingConfig } from './config.ts';

/** Traces of this process, where an endpoint for them is set. Without one, no module of the SDK is loaded. */
export async function startTracing(
  service: string,
  config: TracingConfig,
  logger: Logger,
): Promise<{ stop(): Promise<void> }> {
  if (!config.OTEL_EXPORTER_OTLP_ENDPOINT) return { stop: async () => {} };
  const { startSdk } = await import('./sdk.ts');
  return startSdk(service, config, logger);
}
