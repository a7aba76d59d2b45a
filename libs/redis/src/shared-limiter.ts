import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

/** A fixed window: `limit` in each `seconds`, counted from the epoch on. */
export interface RateWindow {
  name: string;
  seconds: number;
  limit: number;
}

/** What a limiter granted of a count that it was asked for: all windows had room for it, or it was cut. */
export interface Grant {
  granted: number;
  /** Used before this grant, one for each window. */
  used: number[];
  /** The limiter's own clock, which the windows are cut by. */
  nowMs: number;
}

/**
 * KEYS: one counter for each window. ARGV: how many are wanted, then limit and seconds of each window.
 * Grants up to what every window still has room for and counts only that. A counter lives until its window ends, by
 * Redis's own clock; a key is gone only once its expiry lies in the past, hence the millisecond less.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local granted = tonumber(ARGV[1])
local reply = { 0, now }
for i, key in ipairs(KEYS) do
  local used = tonumber(redis.call('GET', key) or '0')
  granted = math.max(0, math.min(granted, tonumber(ARGV[2 * i]) - used))
  reply[i + 2] = used
end
reply[1] = granted
if granted > 0 then
  for i, key in ipairs(KEYS) do
    local span = ARGV[2 * i + 1] * 1000
    redis.call('INCRBY', key, granted)
    redis.call('PEXPIREAT', key, now - now % span + span - 1)
  end
end
return reply
`;

const TAKE_SHA = createHash('sha1').update(TAKE).digest('hex');

/** Takes up to `count` from all windows of a subject at once; what is not granted leaves no trace. */
export type TakeShared = (subject: string, windows: readonly RateWindow[], count: number) => Promise<Grant>;

/** The count that all processes share. The braces keep a subject's counters on one node of a Redis cluster. */
export function createSharedLimiter(redis: Redis): TakeShared {
  const travelTogether = corking(redis);
  return async (subject, windows, count) => {
    travelTogether();
    const keys = windows.map((window) => `rate:{${subject}}:${window.name}`);
    const args = windows.flatMap((window) => [window.limit, window.seconds]);
    const [granted = 0, nowMs = 0, ...used] = await evaluate(redis, keys, [count, ...args]);
    return { granted, nowMs, used };
  };
}

/** What is called in one turn is written at once: for both sides, reading and writing cost more than the work itself. */
function corking(redis: Redis): () => void {
  let isCorked = false;
  return () => {
    const { stream } = redis;
    if (isCorked || !stream) return;
    isCorked = true;
    stream.cork();
    process.nextTick(() => {
      isCorked = false;
      stream.uncork();
    });
  };
}

async function evaluate(redis: Redis, keys: string[], args: number[]): Promise<number[]> {
  try {
    return (await redis.evalsha(TAKE_SHA, keys.length, ...keys, ...args)) as number[];
  } catch (error) {
    // A restarted Redis has forgotten the script; sending it whole makes it known again.
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return (await redis.eval(TAKE, keys.length, ...keys, ...args)) as number[];
  }
}
