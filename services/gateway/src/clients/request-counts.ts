import type { Redis } from 'ioredis';

const HOUR_MS = 3_600_000;
/** As long as somebody may ask for an hour, and a little more. */
const KEPT_SECONDS = 26 * 3_600;

/** What a tenant's keys asked for in one hour of UTC. */
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
  /** Adds all of them or, where it throws, most likely none. */
  add(counts: readonly HourCount[]): Promise<void>;
  /** Counts of these hours, in their order. */
  read(tenantId: number, hours: readonly number[]): Promise<Pick<HourCount, 'allowed' | 'denied'>[]>;
}

/** Counts of requests that all gateways add to. */
export function createRequestCounts(redis: Redis): RequestCounts {
  const keyOf = (tenantId: number, hour: number) => `requests:{tenant-${tenantId}}:${hour}`;
  return {
    async add(counts) {
      const commands = redis.multi();
      for (const { tenantId, hour, allowed, denied } of counts) {
        const key = keyOf(tenantId, hour);
        if (allowed > 0) commands.hincrby(key, 'allowed', allowed);
        if (denied > 0) commands.hincrby(key, 'denied', denied);
        commands.expire(key, KEPT_SECONDS);
      }
      answersOf(await commands.exec());
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

/** @throws what is wrong with the first command that something is wrong with */
function answersOf(results: [error: Error | null, answer: unknown][] | null): unknown[] {
  if (results === null) throw new Error('Redis did not run the commands.');
  return results.map(([error, answer]) => {
    if (error) throw error;
    return answer;
  });
}
