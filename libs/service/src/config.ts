import { z } from 'zod';
import { isAddressOrRange } from './client-address.ts';
import { tracingEnv } from './tracing/config.ts';

/** Node's timers fire at once when the delay is longer. */
const LONGEST_MS = 2 ** 31 - 1;
/** A time in milliseconds. */
export const milliseconds = z.coerce.number().int().positive().max(LONGEST_MS);

/** The address of an HTTP server. */
export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
/** The same without a slash at its end, so that paths can be added. */
export const httpBase = httpUrl.transform((url) => url.replace(/\/+$/, ''));

const port = z.coerce.number().int().min(0).max(65_535);

/** What every service reads from its environment. Spread it into the service's own schema. */
export const serviceEnv = {
  HOST: z.string().default('127.0.0.1'),
  INTERNAL_PORT: port,
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  IDENTITY_PUBLIC_KEYS_FILE: z.string().min(1),
  IDENTITY_PRIVATE_KEY_FILE: z.string().min(1),
  /** The passwords at engines whose URL names a user and no password. */
  ENGINE_PASSWORDS_FILE: z.string().min(1).optional(),
  /** Longest that a stop may take before the process ends regardless. */
  SHUTDOWN_TIMEOUT_MS: milliseconds.default(15_000),
  ...tracingEnv,
};

/** For services with a port that the gateway reaches. */
export const apiEnv = { PORT: port };

/** For services that call others: longest wait for an answer. */
export const clientEnv = { SERVICE_TIMEOUT_MS: milliseconds.default(3_000) };

/** For services with a database of their own. `DATABASE_POOL_MAX` connections, and one more for the outbox relay. */
export const databaseEnv = {
  DATABASE_URL: z.url(),
  DATABASE_POOL_MAX: z.coerce.number().int().min(1).max(50).default(4),
  /** Longest wait for one of the connections. */
  DATABASE_WAIT_MS: milliseconds.default(5_000),
  /** The same for a tenant's requests while other tenants wait too. */
  DATABASE_TENANT_WAIT_MS: milliseconds.default(2_000),
};

/**
 * `KAFKA_BROKERS`: host:port, comma separated. `KAFKA_PREFIX` is put before every topic and group, so that systems share a cluster.
 * `KAFKA_USERNAME`: of SCRAM-SHA-512, with a password from ENGINE_PASSWORDS_FILE. `KAFKA_CA_FILE`: the authority of the brokers'
 * certificates; connections are encrypted where it is set.
 */
export const kafkaEnv = {
  KAFKA_BROKERS: z
    .string()
    .min(1)
    .transform((list) => list.split(',').map((broker) => broker.trim())),
  KAFKA_PREFIX: z.string().default(''),
  KAFKA_USERNAME: z.string().min(1).optional(),
  KAFKA_CA_FILE: z.string().min(1).optional(),
};

export const redisEnv = {
  REDIS_URL: z.url({ protocol: /^rediss?$/ }),
  /** The authority of the server's certificate, for a URL that begins with rediss://. */
  REDIS_CA_FILE: z.string().min(1).optional(),
  /** Longest wait for Redis to accept a connection or to answer a command. */
  REDIS_TIMEOUT_MS: milliseconds.default(1_000),
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

/** For services that look at their clients' addresses: the proxies whose `X-Forwarded-For` is believed. */
export const proxiesEnv = { TRUSTED_PROXIES: addressList };

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
