import { EVENT_RETENTION_DAYS } from '@frontdesk/contracts';
import {
  apiEnv,
  databaseEnv,
  kafkaEnv,
  milliseconds,
  secretKeysFileEnv,
  serviceEnv,
} from '@frontdesk/service';
import { z } from 'zod';
import { areNameServers } from './clients/dns-query.ts';
import { parsePortRanges } from './domain/ports.ts';
import { DEFAULT_DELAYS_SECONDS } from './domain/retry.ts';

const seconds = z
  .string()
  .regex(/^\d+(\.\d+)?(,\d+(\.\d+)?)*$/, 'must be seconds, comma separated')
  .transform((list) => list.split(',').map(Number));

const ports = z.string().transform((text, context) => {
  const ranges = parsePortRanges(text);
  if (ranges) return ranges;
  context.addIssue({ code: 'custom', message: 'must be ports and ranges of ports, comma separated' });
  return z.NEVER;
});

const nameServers = z
  .string()
  .transform((list) => (list.trim() === '' ? [] : list.split(',').map((server) => server.trim())))
  .refine(areNameServers, 'must be IP addresses, with or without a port, comma separated');

export const configSchema = z.object({
  ...serviceEnv,
  ...apiEnv,
  ...databaseEnv,
  ...kafkaEnv,
  ...secretKeysFileEnv,
  /** How long after its start a process leaves alone what others have sealed with another key, or not at all. */
  SEAL_AFTER_MS: z.coerce.number().int().nonnegative().default(60_000),
  /** Connections for requests, beside the DATABASE_POOL_MAX of deliveries. */
  API_DATABASE_POOL_MAX: z.coerce.number().int().positive().default(3),
  /** Longer than elsewhere: what is in flight at a stop may take its whole deadline. */
  SHUTDOWN_TIMEOUT_MS: milliseconds.default(20_000),
  /** Whether endpoints may be plain http; for development and closed networks. */
  ALLOW_HTTP_ENDPOINTS: z.stringbool().default(false),
  /** Whether endpoints may lead to this host and to private networks; for development and closed networks. */
  ALLOW_PRIVATE_ENDPOINTS: z.stringbool().default(false),
  ENDPOINT_PORTS: ports.prefault('80,443,1024-65535'),
  /** Who is asked for the addresses of receivers' names: none for the system's own name servers. */
  DNS_SERVERS: nameServers.prefault(''),
  /** Waits between attempts: one attempt more than there are waits. */
  RETRY_DELAYS_SECONDS: seconds.default(DEFAULT_DELAYS_SECONDS),
  /** For DNS, connecting, headers and body together. */
  DELIVERY_TIMEOUT_MS: milliseconds.default(10_000),
  /** How much longer than an attempt a lease lasts: time for writing the result. */
  LEASE_MARGIN_MS: milliseconds.default(5_000),
  /** Without an answer of PostgreSQL for so long, a process gives its leases up. */
  LEASE_SESSION_TIMEOUT_MS: milliseconds.default(5_000),
  /** Deliveries in flight in this process: in all, of one tenant, to one endpoint. */
  DELIVERY_CONCURRENCY: z.coerce.number().int().positive().default(400),
  TENANT_CONCURRENCY: z.coerce.number().int().positive().default(64),
  ENDPOINT_CONCURRENCY: z.coerce.number().int().positive().default(20),
  /** Deliveries that replays queue a second, at most, of each endpoint. */
  REPLAYS_PER_SECOND: z.coerce.number().positive().default(50),
  /** Days for which events and deliveries are kept. */
  RETENTION_DAYS: z.coerce.number().int().min(1).max(3_650).default(EVENT_RETENTION_DAYS),
});

export type WebhooksConfig = z.output<typeof configSchema>;
