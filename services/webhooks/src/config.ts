import { databaseEnv, kafkaEnv, serviceEnv } from '@frontdesk/service';
import { z } from 'zod';

const seconds = z
  .string()
  .regex(/^\d+(\.\d+)?(,\d+(\.\d+)?)*$/, 'must be seconds, comma separated')
  .transform((list) => list.split(',').map(Number));

export const configSchema = z.object({
  ...serviceEnv,
  ...databaseEnv,
  ...kafkaEnv,
  /** Longer than elsewhere: what is under way at a stop may take its whole deadline. */
  SHUTDOWN_TIMEOUT_MS: z.coerce.number().int().positive().default(20_000),
  /** Whether endpoints may be plain http; for development and closed networks. */
  ALLOW_HTTP_ENDPOINTS: z.stringbool().default(false),
  /** Waits between attempts: one attempt more than there are waits. */
  RETRY_DELAYS_SECONDS: seconds.default([30, 300]),
  /** For DNS, connecting, headers and body together. */
  DELIVERY_TIMEOUT_MS: z.coerce.number().int().positive().default(10_000),
  /** How much longer than an attempt a lease lasts: time for writing the result. */
  LEASE_MARGIN_MS: z.coerce.number().int().positive().default(5_000),
  DELIVERY_CONCURRENCY: z.coerce.number().int().positive().default(200),
  ENDPOINT_CONCURRENCY: z.coerce.number().int().positive().default(8),
});

export type WebhooksConfig = z.output<typeof configSchema>;
