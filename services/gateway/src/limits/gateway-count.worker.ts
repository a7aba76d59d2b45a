import { nodesOf } from '@frontdesk/redis';
import { type Component, type Logger, loop } from '@frontdesk/service';
import type { Cluster, Redis } from 'ioredis';

const ASKED_EVERY_MS = 2_000;
/** Counts of one minute: gateways that restart one after the other stay counted. */
const REMEMBERED = 30;

/**
 * Counts the gateways that are subscribed to the announcements, and keeps the highest count of the last minute in which Redis
 * answered. So a `GATEWAY_REPLICAS` that was not raised can't multiply the limits while Redis is away.
 */
export function createGatewayCount(options: {
  redis: Redis | Cluster;
  /** The channel of the announcements. */
  channel: string;
  configured: number;
  logger: Logger;
}): {
  component: Component;
  count(): number;
} {
  const heard: number[] = [];
  const worker = loop({
    name: 'gateway count',
    intervalMs: ASKED_EVERY_MS,
    logger: options.logger,
    async run() {
      // A node of a cluster counts only the subscribers that are connected to itself.
      const answers = nodesOf(options.redis).map((node) => node.pubsub('NUMSUB', options.channel));
      const counts = await Promise.all(answers).catch(() => []);
      const sum = counts.reduce((total, [, count]) => total + Number(count), 0);
      // This gateway is subscribed too: 0 means that its own node was not asked.
      if (sum > 0) heard.push(sum);
      if (heard.length > REMEMBERED) heard.shift();
    },
  });
  return { component: worker, count: () => Math.max(options.configured, ...heard) };
}
