import { z } from 'zod';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** OpenTelemetry's own variables. The exporter reads the others that begin with OTEL_EXPORTER_OTLP_ itself. */
export const tracingEnv = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ })])
    .optional()
    .describe('the collector; spans go to `/v1/traces` below it by OTLP over HTTP'),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS)
    .default('parentbased_always_on')
    .describe(
      '`always_on`, `always_off`, `traceidratio`, or one of these behind `parentbased_`, which keeps a trace whole',
    ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('the share of traces that a `…traceidratio` samples'),
};

export type TracingConfig = z.output<z.ZodObject<typeof tracingEnv>>;
