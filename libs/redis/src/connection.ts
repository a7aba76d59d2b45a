import type { Component, Logger } from '@frontdesk/service';
import { Redis, type RedisOptions } from 'ioredis';

const MAX_RECONNECT_DELAY_MS = 1_000;
/** How often the connection is asked whether it lives; without an answer in time it is dead, whatever TCP believes. */
const HEARTBEAT_MS = 1_000;

/**
 * A connection that is made in the background, for ever, and never makes a request wait: commands fail at once while
 * it is away, and are not sent again after a reconnect, when their callers have long gone on without them.
 */
export function createRedis(options: {
  url: string;
  service: string;
  name: string;
  /** Longest wait for a connection, and for an answer. */
  timeoutMs: number;
  logger: Logger;
}): {
  redis: Redis;
  component: Component;
} {
  const settings: RedisOptions = {
    lazyConnect: true,
    connectionName: `${options.service}-${options.name}`,
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

  const beat = () => {
    if (redis.status !== 'ready') return;
    const { stream } = redis;
    redis.ping().catch((error: Error) => stream.destroy(error));
  };

  let heartbeat: NodeJS.Timeout | undefined;
  let isDown = false;
  let hasConnected = false;
  redis.on('error', (error: Error) => {
    // One line for each outage, not for each attempt.
    if (!isDown) options.logger.warn({ err: error, connection: options.name }, 'redis is away');
    isDown = true;
  });
  redis.on('ready', () => {
    if (isDown) options.logger.info({ connection: options.name }, 'redis is back');
    isDown = false;
    hasConnected = true;
  });

  return {
    redis,
    component: {
      name: `redis-${options.name}`,
      async start() {
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
