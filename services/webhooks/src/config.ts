import { DELIVERY_DELAYS_SECONDS, EVENT_RETENTION_DAYS } from '@frontdesk/contracts';
import {
  apiEnv,
  databaseEnv,
  kafkaEnv,
  milliseconds,
  sealAfterEnv,
  secretKeysFileEnv,
  serviceEnv,
} from '@frontdesk/service';
import { z } from 'zod';
import { areNameServers } from './receivers/dns-query.client.ts';
import { parsePortRanges } from './receivers/ports.rules.ts';

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

const atLeastOne = z.coerce.number().int().positive();

export const configSchema = z.object({
  ...serviceEnv,
  ...apiEnv,
  ...databaseEnv,
  ...kafkaEnv,
  ...secretKeysFileEnv,
  ...sealAfterEnv,
  API_DATABASE_POOL_MAX: atLeastOne
    .default(3)
    .describe('database connections for requests; `DATABASE_POOL_MAX` are for deliveries'),
  SHUTDOWN_TIMEOUT_MS: milliseconds
    .default(20_000)
    .describe('longest stop, after `DRAIN_MS`: deliveries in flight may take their whole time'),
  ALLOW_HTTP_ENDPOINTS: z
    .stringbool()
    .default(false)
    .describe('endpoints may be plain http: for development and closed networks'),
  ALLOW_PRIVATE_ENDPOINTS: z
    .stringbool()
    .default(false)
    .describe('endpoints may lead to this host and to private networks: for development and closed networks'),
  ENDPOINT_PORTS: ports
    .prefault('80,443,1024-65535')
    .describe('ports of endpoints, with ranges, comma separated'),
  DNS_SERVERS: nameServers.prefault('').meta({
    description: 'name servers for endpoints’ names: IP addresses, with or without a port, comma separated',
    whenUnset: 'the system’s',
  }),
  RETRY_DELAYS_SECONDS: seconds
    .default([...DELIVERY_DELAYS_SECONDS])
    .describe('waits between attempts, comma separated: one attempt more than there are waits'),
  DELIVERY_TIMEOUT_MS: milliseconds
    .default(10_000)
    .describe('for DNS, connecting, headers and body of an attempt together'),
  LEASE_MARGIN_MS: milliseconds
    .default(5_000)
    .describe('how much longer than an attempt a lease lasts: time for writing the result'),
  LEASE_SESSION_TIMEOUT_MS: milliseconds
    .default(5_000)
    .describe('a process without an answer of PostgreSQL for so long gives its leases up'),
  DELIVERY_CONCURRENCY: atLeastOne.default(400).describe('deliveries in flight in this process'),
  TENANT_CONCURRENCY: atLeastOne.default(64).describe('of these, of one tenant'),
  ENDPOINT_CONCURRENCY: atLeastOne.default(20).describe('of these, to one endpoint'),
  REPLAYS_PER_SECOND: z.coerce
    .number()
    .positive()
    .default(50)
    .describe('replayed or released deliveries that each endpoint gets, at most'),
  RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_650)
    .default(EVENT_RETENTION_DAYS)
    .describe('days for which events and deliveries are kept'),
});

export type WebhooksConfig = z.output<typeof configSchema>;
