import {
  apiEnv,
  clientEnv,
  databaseEnv,
  httpUrl,
  kafkaEnv,
  milliseconds,
  proxiesEnv,
  redisEnv,
  serviceEnv,
} from '@frontdesk/service';
import { z } from 'zod';

export const configSchema = z.object({
  ...serviceEnv,
  ...apiEnv,
  ...clientEnv,
  ...databaseEnv,
  ...kafkaEnv,
  ...redisEnv,
  ...proxiesEnv,
  SCHEDULING_URL: httpUrl,
  CRM_URL: httpUrl,
  CALLS_URL: httpUrl,
  WEBHOOKS_URL: httpUrl,
  CALLS_INTERNAL_URL: httpUrl,
  /** The gateway as clients reach it: where that is https, responses have HSTS. */
  PUBLIC_URL: httpUrl.optional(),
  /** Longest that a request waits for the shared count; it is decided within 50 ms, whatever Redis does. */
  RATE_LIMIT_TIMEOUT_MS: milliseconds.default(45),
  /** Messages that one source of calls may send in a minute. */
  INGEST_RATE_PER_MINUTE: z.coerce.number().int().min(1).default(600),
  /** A message must bring 160 KiB, or end, within this time. Slow but honest providers do. */
  INGEST_PACE_MS: milliseconds.default(10_000),
  /**
   * Changes of keys are announced, but no announcement is certain: Redis may be away, or a process be killed between its commit
   * and saying so. Ten seconds at worst is the promise; one is left for a request that has just been let in.
   */
  KEY_CACHE_MS: milliseconds.default(9_000),
  UNKNOWN_KEY_CACHE_MS: milliseconds.default(5_000),
  /** How many gateways run: each takes its share of the limits while Redis is away. */
  GATEWAY_REPLICAS: z.coerce.number().int().min(1).default(1),
  /** Longest that a client may take to send the head of a request; and to send all of it, or to take its answer. */
  CLIENT_HEADERS_TIMEOUT_MS: milliseconds.default(15_000),
  CLIENT_REQUEST_TIMEOUT_MS: milliseconds.default(60_000),
  /** Longest wait for a backend's answer to begin. */
  UPSTREAM_TIMEOUT_MS: milliseconds.default(15_000),
});

export type GatewayConfig = z.output<typeof configSchema>;
