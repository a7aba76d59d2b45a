import { randomUUID } from 'node:crypto';
import { endsWithin } from '@frontdesk/fair';
import { context, ROOT_CONTEXT, SpanKind } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from '../run/logging.ts';
import type { TracingConfig } from './config.ts';
import { useTracing } from './spans.ts';

/** Spans that wait to be sent; more are dropped. */
const QUEUE = 4_096;
const BATCH = 512;
/** As many as events go in a batch. */
const LINKS = 500;
const SEND_EVERY_MS = 1_000;
const SEND_TIMEOUT_MS = 5_000;
/** Longest that a stop waits for the collector. */
const LAST_SEND_TIMEOUT_MS = 2_000;

/** The OpenTelemetry SDK of this process. It is loaded, like this module, only where traces are wanted. */
export function startSdk(
  service: string,
  { OTEL_TRACES_SAMPLER: samplerName, OTEL_TRACES_SAMPLER_ARG: ratio }: TracingConfig,
  logger: Logger,
): { stop(): Promise<void> } {
  const root = rootSampler(samplerName, ratio);
  const ids = new RandomIdGenerator();
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': service, 'service.instance.id': randomUUID() }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerName.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: telling(new OTLPTraceExporter({ timeoutMillis: SEND_TIMEOUT_MS }), logger),
        maxQueueSize: QUEUE,
        maxExportBatchSize: BATCH,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_TIMEOUT_MS,
      }),
    ],
    idGenerator: ids,
    spanLimits: { linkCountLimit: LINKS },
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  useTracing({
    tracer: provider.getTracer('frontdesk'),
    isNextSampled: () =>
      root.shouldSample(ROOT_CONTEXT, ids.generateTraceId(), '', SpanKind.SERVER, {}, []).decision ===
      SamplingDecision.RECORD_AND_SAMPLED,
  });
  return {
    async stop() {
      useTracing(null);
      await endsWithin(LAST_SEND_TIMEOUT_MS, provider.shutdown());
      context.disable();
    },
  };
}

function rootSampler(name: TracingConfig['OTEL_TRACES_SAMPLER'], ratio: number): Sampler {
  if (name.endsWith('always_on')) return new AlwaysOnSampler();
  return name.endsWith('always_off') ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio);
}

/** Logs once when the collector fails, and once when it takes spans again. */
function telling(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== 0;
        if (hasFailed && !isFailing) logger.warn({ err: result.error }, 'the collector takes no spans');
        if (!hasFailed && isFailing) logger.info('the collector takes spans again');
        isFailing = hasFailed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
