import { LEAST_PACE_BYTES, MAX_FEED_WAIT_SECONDS } from '@frontdesk/contracts';
import {
  apiEnv,
  BACKEND_SILENCE_MS,
  BACKEND_WAIT_MS,
  clientEnv,
  databaseEnv,
  HEADERS_TIMEOUT_MS,
  httpUrl,
  internalUrl,
  issuerEnv,
  kafkaEnv,
  milliseconds,
  proxiesEnv,
  REQUEST_TIMEOUT_MS,
  redisEnv,
  serviceEnv,
} from '@frontdesk/service';
import { z } from 'zod';

export const configSchema = z.object({
  ...serviceEnv,
  ...issuerEnv,
  ...apiEnv,
  ...clientEnv,
  ...databaseEnv,
  ...kafkaEnv,
  ...redisEnv,
  ...proxiesEnv,
  REDIS_CLUSTER: z
    .stringbool()
    .default(false)
    .describe('`REDIS_URL` names a node of a [Redis Cluster](../../docs/operations.md#a-redis-cluster)'),
  SCHEDULING_URL: httpUrl.describe('public port of scheduling'),
  CRM_URL: httpUrl.describe('public port of crm'),
  CALLS_URL: httpUrl.describe('public port of calls'),
  WEBHOOKS_URL: httpUrl.describe('public port of webhooks'),
  CALLS_INTERNAL_URL: internalUrl('calls'),
  CRM_INTERNAL_URL: httpUrl
    .optional()
    .describe('internal port of crm; without it the quota of customers holds for new tenants alone'),
  SCHEDULING_INTERNAL_URL: httpUrl
    .optional()
    .describe(
      'internal port of scheduling; without it, or that of crm or webhooks, no quota of stored bytes holds',
    ),
  WEBHOOKS_INTERNAL_URL: httpUrl.optional().describe('internal port of webhooks, for the same quota'),
  PUBLIC_URL: httpUrl.optional().meta({
    description: 'the gateway as clients reach it, for examples; https adds HSTS',
    whenUnset: '`http://localhost:PORT`',
  }),
  RATE_LIMIT_TIMEOUT_MS: milliseconds
    .default(45)
    .describe('longest wait for a shared count; a request asks for two'),
  INGEST_RATE_PER_MINUTE: z.coerce.number().int().min(1).default(600).describe('messages of one call source'),
  // Slow enough for every honest client.
  INGEST_PACE_MS: milliseconds
    .default(10_000)
    .describe(`time in which a body brings ${LEAST_PACE_BYTES / 1_024} KiB, or ends`),
  /**
   * A change of a key is announced to all gateways. The announcement may get lost: Redis may be away, or the process may be killed
   * between its commit and the announcement. A revoked key then works for ten seconds at most, of which one is left for a request
   * that has just passed the check.
   */
  KEY_CACHE_MS: milliseconds.default(9_000).describe('how long a key stays cached'),
  UNKNOWN_KEY_CACHE_MS: milliseconds.default(5_000).describe('how long an unknown key stays cached'),
  GATEWAY_REPLICAS: z.coerce
    .number()
    .int()
    .min(1)
    .default(1)
    .describe('gateways that run, at least: without Redis each grants its share of the limits'),
  CLIENT_HEADERS_TIMEOUT_MS: milliseconds
    .default(HEADERS_TIMEOUT_MS)
    .describe('for a client to send the head of a request'),
  CLIENT_REQUEST_TIMEOUT_MS: milliseconds
    .default(REQUEST_TIMEOUT_MS)
    .describe('for a client to send all of it, and to take the response'),
  // Counted from the request on, without the time that its body takes to arrive.
  UPSTREAM_TIMEOUT_MS: milliseconds
    .default(15_000)
    .describe(
      `longest wait for a response to begin, and to go on; for the feed of events ${MAX_FEED_WAIT_SECONDS} s longer`,
    ),
  UPSTREAM_WAIT_MS: milliseconds
    .default(BACKEND_WAIT_MS)
    .describe('longest wait of a request for a process of its backend'),
  UPSTREAM_SILENCE_MS: milliseconds
    .default(BACKEND_SILENCE_MS)
    .describe('silence of a process after which another one gets its requests'),
});

export type GatewayConfig = z.output<typeof configSchema>;
