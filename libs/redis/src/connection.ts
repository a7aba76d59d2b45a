import type { Component, Logger, Metrics } from '@frontdesk/service';
import { Redis, type RedisOptions } from 'ioredis';
import { applyAuthority, passwordOf, type RedisAccess, refusalOf } from './credentials.ts';

const MAX_RECONNECT_DELAY_MS = 1_000;
/** How often the connection is asked whether it lives; without an answer in time it is dead, whatever TCP believes. */
const HEARTBEAT_MS = 1_000;

/** What a service's environment (`redisEnv`) says of its Redis. Spread it into the options of `createRedis`. */
export const redisSettings = (env: {
  REDIS_URL: string;
  REDIS_CA_FILE?: string | undefined;
  REDIS_TIMEOUT_MS: number;
  ENGINE_PASSWORDS_FILE?: string | undefined;
}) => ({
  url: env.REDIS_URL,
  caFile: env.REDIS_CA_FILE,
  passwordsFile: env.ENGINE_PASSWORDS_FILE,
  timeoutMs: env.REDIS_TIMEOUT_MS,
});

/**
 * A connection that is made in the background, for ever, and never makes a request wait: commands fail at once while
 * it is away, and are not sent again after a reconnect, when their callers have long gone on without them.
 */
export function createRedis(
  options: RedisAccess & {
    service: string;
    name: string;
    /** A key of each kind that the service uses: the first connection asks whether it has the right to them. */
    keys?: readonly string[];
    /** Longest wait for a connection, and for an answer. */
    timeoutMs: number;
    logger: Logger;
    metrics?: Metrics;
  },
): {
  redis: Redis;
  component: Component;
} {
  const { keys = [], logger } = options;
  const settings: RedisOptions = {
    lazyConnect: true,
    connectionName: `${options.service}-${options.name}`,
    disableClientInfo: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    maxRetriesPerRequest: null,
    connectTimeout: options.timeoutMs,
    commandTimeout: options.timeoutMs,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 10), MAX_RECONNECT_DELAY_MS),
    // A primary that was demoted refuses to write: the name leads to the new one.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  };
  const redis = new Redis(options.url, settings);
  const password = passwordOf(redis, options);
  options.metrics?.watchConnection('redis', options.name, () => redis.status === 'ready');

  const beat = () => {
    if (redis.status !== 'ready') return;
    const { stream } = redis;
    redis.ping().catch((error: Error) => stream.destroy(error));
  };

  const { promise: refused, reject: refuse } = Promise.withResolvers<never>();
  refused.catch(() => {}); // for those that don't wait for it
  let heartbeat: NodeJS.Timeout | undefined;
  let isDown = false;
  let hasConnected = false;
  /** Before the first connection: what was right once may be on its way to be right again. */
  const refuseAtStart = (error: Error) => {
    const refusal = hasConnected ? null : refusalOf(error, options);
    if (refusal) refuse(refusal);
  };
  redis.on('error', (error: Error) => {
    if (password.triesAnotherAfter(error)) return;
    refuseAtStart(error);
    // One line for each outage, not for each attempt.
    if (!isDown) logger.warn({ err: error, connection: options.name }, 'redis is away');
    isDown = true;
  });
  redis.on('close', () => {
    try {
      password.apply();
    } catch (error) {
      logger.error({ err: error }, (error as Error).message);
    }
  });
  const onReady = async () => {
    if (isDown) logger.info({ connection: options.name }, 'redis is back');
    isDown = false;
    if (!hasConnected && keys.length > 0) await redis.mget(...keys).catch(refuseAtStart);
    hasConnected = true;
  };
  redis.on('ready', () => void onReady());

  return {
    redis,
    component: {
      name: `redis-${options.name}`,
      refused,
      async start() {
        await applyAuthority(redis, options);
        password.apply();
        redis.connect().catch(() => {});
        heartbeat = setInterval(beat, HEARTBEAT_MS);
      },
      async stop() {
        clearInterval(heartbeat);
        redis.disconnect();
      },
      // Redis lost later narrows a service and must not take all its processes out of rotation at once.
      ready: () => (hasConnected ? null : 'redis'),
    },
  };
}
