import { backOffMs } from '@frontdesk/fair';
import type { Component, Logger, Metrics } from '@frontdesk/service';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { applyAuthority, passwordOf, type RedisAccess, refusalOf } from './credentials.ts';

const MAX_RECONNECT_DELAY_MS = 1_000;
/** How often each connection is pinged. Without an answer in time it is closed, also if TCP would keep it. */
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

interface ConnectionOptions extends RedisAccess {
  service: string;
  name: string;
  /** A key of each kind that the service uses: the first connection checks that its user may read them. */
  keys?: readonly string[];
  /** Longest wait for a connection, and for an answer. */
  timeoutMs: number;
  logger: Logger;
  metrics?: Metrics;
}

interface Connection<Client> {
  redis: Client;
  component: Component;
}

const reconnectDelayMs = (attempt: number) => backOffMs(attempt, MAX_RECONNECT_DELAY_MS);

const settingsOf = (options: ConnectionOptions) => ({
  connectionName: `${options.service}-${options.name}`,
  disableClientInfo: true,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  maxRetriesPerRequest: null,
  connectTimeout: options.timeoutMs,
  commandTimeout: options.timeoutMs,
});

/**
 * Connects in the background, again and again, and makes no request wait: while Redis is away, commands fail at once.
 * They are not sent again after a reconnect, as their callers have gone on without them.
 */
export function createRedis(options: ConnectionOptions): Connection<Redis> {
  const redis = new Redis(options.url, {
    ...settingsOf(options),
    lazyConnect: true,
    enableOfflineQueue: false,
    retryStrategy: reconnectDelayMs,
    // A primary that was demoted refuses writes: a new connection finds the new primary by its name.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  return { redis, component: maintain(redis, redis.options, options) };
}

/**
 * The same for a cluster; the URL names one of its nodes. The first command for a node waits for the connection to it. A command whose
 * node is lost meanwhile is sent again, so it may count twice.
 */
export function createRedisCluster(options: ConnectionOptions): Connection<Cluster> {
  const { protocol, hostname: host, port, username, password } = new URL(options.url);
  const redisOptions: RedisOptions = {
    ...settingsOf(options),
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  };
  const redis = new Cluster([{ host, port: Number(port || 6_379) }], {
    lazyConnect: true,
    enableOfflineQueue: false,
    clusterRetryStrategy: reconnectDelayMs,
    redisOptions,
  });
  return { redis, component: maintain(redis, redisOptions, options) };
}

/** The connections themselves: one, or one to each node of a cluster. */
export const nodesOf = (redis: Redis | Cluster): Redis[] =>
  redis instanceof Cluster ? redis.nodes() : [redis];

/** @param settings of the next connection */
function maintain(redis: Redis | Cluster, settings: RedisOptions, options: ConnectionOptions): Component {
  const { keys = [], logger } = options;
  const password = passwordOf(settings, options);
  options.metrics?.watchConnection('redis', options.name, () => redis.status === 'ready');

  const beat = () => {
    for (const node of nodesOf(redis)) {
      if (node.status !== 'ready') continue;
      const { stream } = node;
      node.ping().catch((error: Error) => stream.destroy(error));
    }
  };

  const { promise: refused, reject: refuse } = Promise.withResolvers<never>();
  refused.catch(() => {}); // Where nobody waits for it, it must not end the process.
  let heartbeat: NodeJS.Timeout | undefined;
  let isDown = false;
  let hasConnected = false;
  /** Only before the first connection: a password that was right once may be in the middle of a replacement. */
  const refuseAtStart = (error: Error) => {
    const refusal = hasConnected ? null : refusalOf(error, options);
    if (refusal) refuse(refusal);
  };
  redis.on('error', (failure: Error & { lastNodeError?: Error }) => {
    // A cluster's own error says only that no node could be reached; the node's error says why.
    const error = failure.lastNodeError ?? failure;
    if (password.triesAnotherAfter(error)) return;
    refuseAtStart(error);
    // One line for each outage, not for each attempt.
    if (!isDown) logger.warn({ err: error, connection: options.name }, 'redis is away');
    isDown = true;
  });
  const applyPassword = () => {
    try {
      password.apply();
    } catch (error) {
      logger.error({ err: error }, (error as Error).message);
      return;
    }
    // A cluster reconnects with the options of its nodes.
    for (const { options: ofNode } of nodesOf(redis)) ofNode.password = settings.password;
  };
  redis.on('close', applyPassword);
  redis.on('-node', applyPassword);
  const onReady = async () => {
    if (isDown) logger.info({ connection: options.name }, 'redis is back');
    isDown = false;
    if (!hasConnected) for (const key of keys) await redis.mget(key).catch(refuseAtStart);
    hasConnected = true;
  };
  redis.on('ready', () => void onReady());

  return {
    name: `redis-${options.name}`,
    refused,
    async start() {
      await applyAuthority(settings, options);
      password.apply();
      redis.connect().catch(() => {});
      heartbeat = setInterval(beat, HEARTBEAT_MS);
    },
    async stop() {
      clearInterval(heartbeat);
      redis.disconnect();
    },
    // Without Redis later on, a service can do less: that must not take all its processes out of rotation at once.
    ready: () => (hasConnected ? null : 'redis'),
  };
}
