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

/** One of those that ask in the same turn. */
interface Asked {
  subject: string;
  windows: readonly RateWindow[];
  count: number;
  resolve: (grant: Grant) => void;
  reject: (error: unknown) => void;
}

/**
 * KEYS: the counters of all that ask, one for each window. ARGV: for each that asks, how many are wanted and in how many
 * windows, then limit and seconds of each window. The answer: Redis's clock in milliseconds, then for each that asks what is
 * granted and what its windows had used.
 * Grants up to what every window still has room for and counts only that. A counter lives from its first grant until its
 * window ends; a key is gone only once its expiry lies in the past, hence the millisecond less.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local reply = { now }
local key, arg = 1, 1
while arg < #ARGV do
  local granted, windows = tonumber(ARGV[arg]), tonumber(ARGV[arg + 1])
  arg = arg + 2
  local used = redis.call('MGET', unpack(KEYS, key, key + windows - 1))
  local place = #reply + 1
  for i = 1, windows do
    used[i] = tonumber(used[i] or '0')
    granted = math.max(0, math.min(granted, tonumber(ARGV[arg + 2 * i - 2]) - used[i]))
    reply[place + i] = used[i]
  end
  reply[place] = granted
  for i = 1, granted > 0 and windows or 0 do
    redis.call('INCRBY', KEYS[key + i - 1], granted)
    if used[i] == 0 then
      local span = ARGV[arg + 2 * i - 1] * 1000
      redis.call('PEXPIREAT', KEYS[key + i - 1], now - now % span + span - 1)
    end
  end
  key = key + windows
  arg = arg + 2 * windows
end
return reply
`;

const TAKE_SHA = createHash('sha1').update(TAKE).digest('hex');
/** Of one call: Redis does nothing else meanwhile. */
const MAX_ASKED = 100;

/** Takes up to `count` from all windows of a subject at once; what is not granted leaves no trace. */
export type TakeShared = (subject: string, windows: readonly RateWindow[], count: number) => Promise<Grant>;

/**
 * The count that all processes share. Who asks in one turn of the event loop travels in one call: for both sides that costs
 * little more than asking for one.
 */
export function createSharedLimiter(redis: Redis): TakeShared {
  let waiting: Asked[] = [];
  const askAll = () => {
    const asked = waiting;
    waiting = [];
    for (let from = 0; from < asked.length; from += MAX_ASKED)
      void takeAll(redis, asked.slice(from, from + MAX_ASKED));
  };
  return (subject, windows, count) => {
    const { promise, resolve, reject } = Promise.withResolvers<Grant>();
    if (waiting.length === 0) process.nextTick(askAll);
    waiting.push({ subject, windows, count, resolve, reject });
    return promise;
  };
}

async function takeAll(redis: Redis, asked: readonly Asked[]): Promise<void> {
  const keys: string[] = [];
  const args: number[] = [];
  for (const { subject, windows, count } of asked) {
    args.push(count, windows.length);
    for (const { name, limit, seconds } of windows) {
      keys.push(`rate:{${subject}}:${name}`);
      args.push(limit, seconds);
    }
  }
  try {
    const [nowMs = 0, ...counts] = await evaluate(redis, keys, args);
    let place = 0;
    for (const { windows, resolve } of asked) {
      const [granted = 0, ...used] = counts.slice(place, place + 1 + windows.length);
      place += 1 + windows.length;
      resolve({ granted, used, nowMs });
    }
  } catch (error) {
    for (const { reject } of asked) reject(error);
  }
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
