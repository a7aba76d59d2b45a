import { apiEnv, databaseEnv, kafkaEnv, serviceEnv } from '@frontdesk/service';
import { z } from 'zod';
import { isAddressOrRange } from './domain/client-address.ts';

const addressList = z
  .string()
  .default('')
  .transform((list) =>
    list
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  )
  .refine((list) => list.every(isAddressOrRange), 'must be addresses or CIDR ranges, comma separated');

export const configSchema = z.object({
  ...serviceEnv,
  ...apiEnv,
  ...databaseEnv,
  ...kafkaEnv,
  REDIS_URL: z.url({ protocol: /^rediss?$/ }),
  SCHEDULING_URL: z.url({ protocol: /^https?$/ }),
  CRM_URL: z.url({ protocol: /^https?$/ }),
  CALLS_URL: z.url({ protocol: /^https?$/ }),
  /** Longest that a request waits for the shared count; it is decided within 50 ms, whatever Redis does. */
  RATE_LIMIT_TIMEOUT_MS: z.coerce.number().int().positive().default(45),
  /** Messages that one source of calls may send in a minute. */
  INGEST_RATE_PER_MINUTE: z.coerce.number().int().min(1).default(600),
  /** How many gateways run: each takes its share of the limits while Redis is away. */
  GATEWAY_REPLICAS: z.coerce.number().int().min(1).default(1),
  /** Proxies whose X-Forwarded-For is believed. */
  TRUSTED_PROXIES: addressList,
  /** Longest wait for a backend's answer to begin. */
  UPSTREAM_TIMEOUT_MS: z.coerce.number().int().positive().default(15_000),
});

export type GatewayConfig = z.output<typeof configSchema>;
