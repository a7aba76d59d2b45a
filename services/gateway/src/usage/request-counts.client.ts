import { COUNT_RETENTION_HOURS } from '@frontdesk/contracts';
import type { Cluster, Redis } from 'ioredis';

const HOUR_MS = 3_600_000;
const KEPT_SECONDS = COUNT_RETENTION_HOURS * 3_600;

/** Requests with the keys of a tenant in one UTC hour. */
export interface HourCount {
  tenantId: number;
  /** Hours since 1970-01-01. */
  hour: number;
  allowed: number;
  denied: number;
}

export const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS);
export const startOfHour = (hour: number): string => new Date(hour * HOUR_MS).toISOString();

export interface RequestCounts {
  /** Adds both counts. If it throws, most likely neither was added. */
  add(count: HourCount): Promise<void>;
  /** Counts of these hours, in their order. */
  read(tenantId: number, hours: readonly number[]): Promise<Pick<HourCount, 'allowed' | 'denied'>[]>;
}

/** Counts of requests that all gateways add to. */
export function createRequestCounts(redis: Redis | Cluster): RequestCounts {
  const keyOf = (tenantId: number, hour: number) => `requests:{tenant-${tenantId}}:${hour}`;
  return {
    async add({ tenantId, hour, allowed, denied }) {
      const key = keyOf(tenantId, hour);
      const commands = redis.multi();
      if (allowed > 0) commands.hincrby(key, 'allowed', allowed);
      if (denied > 0) commands.hincrby(key, 'denied', denied);
      answersOf(await commands.expire(key, KEPT_SECONDS).exec());
    },
    async read(tenantId, hours) {
      const commands = redis.pipeline();
      for (const hour of hours) commands.hmget(keyOf(tenantId, hour), 'allowed', 'denied');
      return answersOf(await commands.exec()).map((counts) => {
        const [allowed = 0, denied = 0] = (counts as (string | null)[]).map(Number);
        return { allowed, denied };
      });
    },
  };
}

/** @throws the error of the first command that failed */
function answersOf(results: [error: Error | null, answer: unknown][] | null): unknown[] {
  if (results === null) throw new Error('Redis did not run the commands.');
  return results.map(([error, answer]) => {
    if (error) throw error;
    return answer;
  });
}
