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

/** One of those that travel in the same call. */
interface Asked {
  subject: string;
  windows: readonly RateWindow[];
  count: number;
  resolve: (grant: Grant) => void;
  reject: (error: unknown) => void;
}

/**
 * KEYS: for all that ask the names of their windows; a counter's name has the window's number behind it. ARGV: for each that
 * asks, how many are wanted and in how many windows, then limit and seconds of each window. The answer: Redis's clock in
 * milliseconds, then for each that asks what is granted and what its windows had used.
 * Grants up to what every window still has room for and counts only that: what is too much is taken back, as nobody sees
 * a counter in between. A counter outlives its window by a second: what ends it is that the next one has another name.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local reply = { now }
local key, arg = 1, 1
while arg < #ARGV do
  local granted, windows = tonumber(ARGV[arg]), tonumber(ARGV[arg + 1])
  arg = arg + 2
  local wanted, place, names = granted, #reply + 1, {}
  for i = 1, windows do
    local span = ARGV[arg + 2 * i - 1] * 1000
    local window = math.floor(now / span)
    names[i] = KEYS[key + i - 1] .. ':' .. string.format('%.0f', window)
    local name = names[i]
    local used = wanted > 0 and redis.call('INCRBY', name, wanted) - wanted or tonumber(redis.call('GET', name) or 0)
    if wanted > 0 and used == 0 then
      redis.call('PEXPIREAT', name, (window + 1) * span + 1000)
    end
    granted = math.max(0, math.min(granted, ARGV[arg + 2 * i - 2] - used))
    reply[place + i] = used
  end
  reply[place] = granted
  for i = 1, granted < wanted and windows or 0 do
    redis.call('DECRBY', names[i], wanted - granted)
  end
  key = key + windows
  arg = arg + 2 * windows
end
return reply
`;

const TAKE_SHA = createHash('sha1').update(TAKE).digest('hex');
/** Of one call: Redis does nothing else meanwhile. */
const MAX_ASKED = 100;
/** Nobody waits longer than this for a call that is under way before there is another. */
const LONGEST_WAIT_MS = 10;

const windowName = (subject: string, { name }: RateWindow) => `rate:{${subject}}:${name}`;

/** Where Redis counts what the subject takes of this window at this time. */
export const rateCounter = (subject: string, window: RateWindow, nowMs: number): string =>
  `${windowName(subject, window)}:${Math.floor(nowMs / (window.seconds * 1_000))}`;

/** Takes up to `count` from all windows of a subject at once; what is not granted leaves no trace. */
export type TakeShared = (subject: string, windows: readonly RateWindow[], count: number) => Promise<Grant>;

/**
 * The count that all processes share. Who asks in one turn of the event loop, or while a call is under way, travels in one
 * call: for both sides that costs little more than asking for one.
 */
export function createSharedLimiter(redis: Redis): TakeShared {
  let waiting: Asked[] = [];
  let isDue = false;
  let calls = 0;
  let waitUntilMs = 0;
  let timer: NodeJS.Timeout | undefined;

  const askAll = async () => {
    clearTimeout(timer);
    timer = undefined;
    isDue = false;
    const asked = waiting;
    waiting = [];
    calls += 1;
    const call = calls;
    waitUntilMs = performance.now() + LONGEST_WAIT_MS;
    const parts: Promise<void>[] = [];
    for (let from = 0; from < asked.length; from += MAX_ASKED)
      parts.push(takeAll(redis, asked.slice(from, from + MAX_ASKED)));
    await Promise.all(parts);
    // A younger call that didn't wait for this one sees to the others.
    if (call !== calls) return;
    waitUntilMs = 0;
    if (waiting.length > 0 && !isDue) void askAll();
  };

  return (subject, windows, count) => {
    const { promise, resolve, reject } = Promise.withResolvers<Grant>();
    waiting.push({ subject, windows, count, resolve, reject });
    if (isDue) return promise;
    const waitMs = waitUntilMs - performance.now();
    if (waitMs > 0) timer ??= setTimeout(() => void askAll(), waitMs);
    else {
      isDue = true;
      process.nextTick(askAll);
    }
    return promise;
  };
}

async function takeAll(redis: Redis, asked: readonly Asked[]): Promise<void> {
  const keys: string[] = [];
  const args: number[] = [];
  for (const { subject, windows, count } of asked) {
    args.push(count, windows.length);
    for (const window of windows) {
      keys.push(windowName(subject, window));
      args.push(window.limit, window.seconds);
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
