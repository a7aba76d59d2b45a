import { type Component, type Logger, loop } from '@frontdesk/service';
import type { Redis } from 'ioredis';
import { ACCESS_CHANGES } from './access-changes.ts';

const ASKED_EVERY_MS = 2_000;
/** Of a minute: gateways that restart one after the other count all the same. */
const REMEMBERED = 30;

/**
 * How many gateways hear each other's announcements: the most of the last minute in which Redis answered. A
 * `GATEWAY_REPLICAS` that was forgotten can't multiply the limits while Redis is away.
 */
export function createGatewayCount(options: { redis: Redis; configured: number; logger: Logger }): {
  component: Component;
  count(): number;
} {
  const heard: number[] = [];
  const worker = loop({
    name: 'gateway count',
    intervalMs: ASKED_EVERY_MS,
    logger: options.logger,
    async run() {
      const answer = await options.redis.pubsub('NUMSUB', ACCESS_CHANGES).catch(() => []);
      if (answer.length > 0) heard.push(Number(answer[1]));
      if (heard.length > REMEMBERED) heard.shift();
    },
  });
  return { component: worker, count: () => Math.max(options.configured, ...heard) };
}
