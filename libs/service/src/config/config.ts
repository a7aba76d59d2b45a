import { z } from 'zod';
import { isAddressOrRange } from '../http/client-address.ts';
import { tracingEnv } from '../tracing/config.ts';

/** Node's timers fire at once when the delay is longer. */
export const LONGEST_MS = 2 ** 31 - 1;
/** A time in milliseconds. */
export const milliseconds = z.coerce.number().int().positive().max(LONGEST_MS);

/** The address of an HTTP server. */
export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
/** The same without a slash at its end, so that paths can be added. */
export const httpBase = httpUrl.transform((url) => url.replace(/\/+$/, ''));
/** Where a service answers other services. */
export const internalUrl = (service: string) => httpUrl.describe(`internal port of ${service}`);

const port = z.coerce.number().int().min(0).max(65_535);

/**
 * What every service reads from its environment. Spread it into the service's own schema. `npm run -s write-tables` writes descriptions
 * and defaults of all schemas into the documents.
 */
export const serviceEnv = {
  HOST: z.string().default('127.0.0.1').describe('address to listen on'),
  INTERNAL_PORT: port.describe('port for health, metrics and other services'),
  LOG_LEVEL: z
    .enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'])
    .default('info')
    .describe('`silent`, `fatal`, `error`, `warn`, `info`, `debug`, `trace`'),
  IDENTITY_PUBLIC_KEYS_FILE: z.string().min(1).describe('whose requests are accepted'),
  ENGINE_PASSWORDS_FILE: z
    .string()
    .min(1)
    .optional()
    .describe(
      '`{"postgres": …, "redis": …, "kafka": …}`: the service’s passwords, for URLs with a user and no password, and for `KAFKA_USERNAME`',
    ),
  DRAIN_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(LONGEST_MS)
    .default(0)
    .describe(
      'how long a process goes on answering after SIGTERM, not ready and with `Connection: close`: longer than a balancer takes to notice; compose sets 5000',
    ),
  SHUTDOWN_TIMEOUT_MS: milliseconds
    .default(15_000)
    .describe('longest stop, after `DRAIN_MS`; then the process ends all the same'),
  ...tracingEnv,
};

/** For services that call others, or vouch for callers: what they sign with. */
export const issuerEnv = {
  IDENTITY_PRIVATE_KEY_FILE: z
    .string()
    .min(1)
    .describe('the service’s own signature, for its calls of others'),
};

/** For services with a port that the gateway reaches. */
export const apiEnv = { PORT: port.describe('public port') };

export const SERVICE_TIMEOUT_MS = 3_000;

/** For services that call others. */
export const clientEnv = {
  SERVICE_TIMEOUT_MS: milliseconds.default(SERVICE_TIMEOUT_MS).describe('longest wait for another service'),
};

/** Longest waits for the database, in milliseconds, unless the environment sets others. */
export const DATABASE_WAITS = { connection: 5_000, tenant: 2_000, request: 12_000 };

/** For services with a database of their own. */
export const databaseEnv = {
  DATABASE_URL: z
    .url()
    .describe(
      'the service’s own PostgreSQL database; with `?sslmode=verify-full&sslrootcert=/path/ca.pem` encrypted',
    ),
  DATABASE_POOL_MAX: z.coerce
    .number()
    .int()
    .min(1)
    .max(50)
    .default(4)
    .describe('connections of the pool; the outbox relay has one more'),
  DATABASE_WAIT_MS: milliseconds.default(DATABASE_WAITS.connection).describe('longest wait for a connection'),
  DATABASE_TENANT_WAIT_MS: milliseconds
    .default(DATABASE_WAITS.tenant)
    .describe('the same for a tenant’s requests while other tenants wait too'),
  DATABASE_REQUEST_MS: milliseconds
    .default(DATABASE_WAITS.request)
    .describe(
      'longest wait of a request for the end of a statement or transaction, with the wait for a connection',
    ),
};

export const kafkaEnv = {
  KAFKA_BROKERS: z
    .string()
    .min(1)
    .transform((list) => list.split(',').map((broker) => broker.trim()))
    .describe('host:port, comma separated'),
  KAFKA_PREFIX: z
    .string()
    .default('')
    .describe('put before the names of topics and groups, so that systems can share a cluster'),
  KAFKA_USERNAME: z
    .string()
    .min(1)
    .optional()
    .describe('the service’s user (SCRAM-SHA-512); leave it out where Kafka asks nobody'),
  KAFKA_CA_FILE: z
    .string()
    .min(1)
    .optional()
    .describe(
      'the authority that the brokers’ certificates must come from; with it connections are encrypted',
    ),
  EVENT_LINGER_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000)
    .default(2)
    .describe(
      'pause after each batch of events, of the outbox relay and of consumers: what comes meanwhile shares the next one, cheaper and later',
    ),
};

export const redisEnv = {
  REDIS_URL: z
    .url({ protocol: /^rediss?$/ })
    .describe('`redis://user@host:port`, or `rediss://` for an encrypted connection'),
  REDIS_CA_FILE: z.string().min(1).optional().meta({
    description: 'the authority that the certificate of a `rediss://` server must come from',
    whenUnset: 'Node’s own',
  }),
  REDIS_TIMEOUT_MS: milliseconds.default(1_000).describe('longest wait for a connection or a command'),
};

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

/** For services that look at their clients' addresses. */
export const proxiesEnv = {
  TRUSTED_PROXIES: addressList.describe(
    'addresses or CIDR ranges whose `X-Forwarded-For` counts, comma separated',
  ),
};

export type ServiceConfig = z.output<z.ZodObject<typeof serviceEnv>>;

/** A service that is configured wrongly does not start; the message names every fault at once. */
export class ConfigError extends Error {
  constructor(faults: string[]) {
    super(`Invalid configuration:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** @throws ConfigError naming every variable that is missing or wrong; values are not repeated, they may be secret. */
export function loadConfig<Schema extends z.ZodType>(
  schema: Schema,
  env: NodeJS.ProcessEnv = process.env,
): z.output<Schema> {
  const result = schema.safeParse(env);
  if (result.success) return result.data;
  throw new ConfigError(
    result.error.issues.map((issue) => {
      const name = issue.path.join('.');
      return env[name] === undefined ? `${name} is missing` : `${name}: ${issue.message}`;
    }),
  );
}
