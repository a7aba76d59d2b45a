import { within } from '@frontdesk/fair';
import type { Cluster, Redis, Result } from 'ioredis';
import { counterOf, type Grant, type RateWindow } from './rate-windows.ts';

/**
 * Counts requests in the current window, if the limit allows all of them.
 *
 * KEYS: the counter. ARGV: count, limit, milliseconds of a window, granted at (epoch milliseconds). A count of 0 only reads; a
 * negative one gives back what was granted then, if the window is still the same. Reply: what was used before, and Redis's clock
 * in milliseconds.
 *
 * The counter names its window, as Redis may keep it beyond the window's end.
 */
const COUNT_REQUESTS = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local count, limit, span = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local window = math.floor(now / span)
local counter = redis.call('HMGET', KEYS[1], 'window', 'used')
local used = tonumber(counter[1]) == window and tonumber(counter[2]) or 0
local is_granted = count > 0 and used + count <= limit
local is_given_back = count < 0 and used + count >= 0 and math.floor(ARGV[4] / span) == window
if not is_granted and not is_given_back then return { used, now } end
if used + count == 0 then
  -- A request of a stranger that is given back leaves no key behind.
  redis.call('DEL', KEYS[1])
else
  redis.call('HSET', KEYS[1], 'window', string.format('%.0f', window), 'used', string.format('%.0f', used + count))
  if used == 0 then redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', (window + 1) * span)) end
end
return { used, now }
`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    countRequests(
      counter: string,
      count: number,
      limit: number,
      spanMs: number,
      grantedAtMs: number,
    ): Result<[used: number, nowMs: number], Context>;
  }
}

/** The count that all processes share. */
export interface SharedLimiter {
  /** Takes `count` requests of the window, or none. */
  take(subject: string, window: RateWindow, count?: number): Promise<Grant>;
  /** What is used of the window, without counting anything. */
  read(subject: string, window: RateWindow): Promise<Grant>;
  /** Gives back one request of a grant, in a window that has not ended. */
  giveBack(subject: string, window: RateWindow, grant: Pick<Grant, 'nowMs' | 'isLocal'>): Promise<void>;
}

/** Each call is one script over one counter, so that Redis may be a cluster. */
export function createSharedLimiter(
  redis: Redis | Cluster,
  /** Longest wait for a call, where that is less than the connection's own. */
  { timeoutMs }: { timeoutMs?: number } = {},
): SharedLimiter {
  // ioredis sends the script's hash, and the script itself to a Redis that has forgotten it.
  redis.defineCommand('countRequests', { numberOfKeys: 1, lua: COUNT_REQUESTS });

  const ask = async (subject: string, window: RateWindow, count: number, grantedAtMs = 0): Promise<Grant> => {
    const { limit, seconds } = window;
    const answer = redis.countRequests(
      counterOf(subject, window),
      count,
      limit,
      seconds * 1_000,
      grantedAtMs,
    );
    const [used, nowMs] = await (timeoutMs === undefined ? answer : within(timeoutMs, answer));
    return { isGranted: used + count <= limit, used, nowMs };
  };

  return {
    take: (subject, window, count = 1) => ask(subject, window, count),
    read: (subject, window) => ask(subject, window, 0),
    giveBack: async (subject, window, { nowMs }) => void (await ask(subject, window, -1, nowMs)),
  };
}
