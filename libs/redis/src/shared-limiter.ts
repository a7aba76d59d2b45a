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

export interface SharedGrant extends Grant {
  /** Granted beyond that, ahead of requests to come, for `AHEAD_MS`. Whoever has it gives back what is not used. */
  ahead: number;
  /** Less was granted than asked for, and other processes hold room of the subject that they may give back. */
  isHeldElsewhere: boolean;
}

/** Room that was granted ahead and is held no longer. */
export interface EndedAhead {
  granted: number;
  unused: number;
  /** By the limiter's clock. */
  grantedAtMs: number;
}

/** Room ahead: how much of it to grant, where there is plenty, and what the process held of the subject before. */
export interface AheadAsked {
  wanted: number;
  ended: EndedAhead | null;
}

/** Longest that room granted ahead may be held. */
export const AHEAD_MS = 1_000;
const NOTHING_AHEAD: AheadAsked = { wanted: 0, ended: null };
const NEVER_HELD: EndedAhead = { granted: 0, unused: 0, grantedAtMs: 0 };
/** For how long others are told of it: what is given back in time has come to Redis by then. */
export const AHEAD_TOLD_MS = AHEAD_MS + 250;
/** So much room has to be left for each that is granted ahead. */
const ROOM_FOR_ONE_AHEAD = 16;

/** One of those that travel in the same call. */
interface Asked {
  subject: string;
  windows: readonly RateWindow[];
  count: number;
  ahead: AheadAsked;
  resolve: (grant: SharedGrant) => void;
  reject: (error: unknown) => void;
}

/**
 * KEYS: for all that ask the names of their windows; a counter's name has the window's number behind it. ARGV: for each that
 * asks, how many are wanted, now and ahead; of what it held ahead, how much that was, how much is unused, and when it was
 * granted; the number of windows, then limit and seconds of each. The answer: Redis's clock in milliseconds, then for each
 * that asks what is granted, now and ahead, whether others hold room, and what its windows had used.
 * Grants up to what every window still has room for and counts only that: what is too much is taken back, as nobody sees
 * a counter in between. A counter outlives its window by a second: what ends it is that the next one has another name.
 * Ahead goes a small part of the room that is left then, which counts as used until it is given back. How much of a
 * subject's room all processes hold ahead is counted beside its first window, for a little longer than they may.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local reply = { now }
local function held(name)
  return tonumber(redis.call('GET', name) or 0)
end
local function give_back(name, count)
  local left = math.min(count, held(name))
  if left > 0 then redis.call('DECRBY', name, left) end
end
local key, arg = 1, 1
while arg < #ARGV do
  local wanted, wanted_ahead = tonumber(ARGV[arg]), tonumber(ARGV[arg + 1])
  local was_ahead, unused, since = tonumber(ARGV[arg + 2]), tonumber(ARGV[arg + 3]), tonumber(ARGV[arg + 4])
  local windows = tonumber(ARGV[arg + 5])
  arg = arg + 6
  local all_ahead = KEYS[key] .. ':ahead'
  if was_ahead > 0 and now - since <= ${AHEAD_TOLD_MS} then give_back(all_ahead, was_ahead) end
  local total, room, place, names = wanted + wanted_ahead, math.huge, #reply + 1, {}
  for i = 1, windows do
    local span = ARGV[arg + 2 * i - 1] * 1000
    local window = math.floor(now / span)
    local name = KEYS[key + i - 1] .. ':' .. string.format('%.0f', window)
    names[i] = name
    if unused > 0 then give_back(KEYS[key + i - 1] .. ':' .. string.format('%.0f', math.floor(since / span)), unused) end
    local used = total > 0 and redis.call('INCRBY', name, total) - total or held(name)
    if total > 0 and used == 0 then
      redis.call('PEXPIREAT', name, (window + 1) * span + 1000)
    end
    room = math.min(room, ARGV[arg + 2 * i - 2] - used)
    reply[place + 2 + i] = used
  end
  local granted = math.max(0, math.min(wanted, room))
  local ahead = math.max(0, math.min(wanted_ahead, math.floor((room - granted) / ${ROOM_FOR_ONE_AHEAD})))
  for i = 1, granted + ahead < total and windows or 0 do
    redis.call('DECRBY', names[i], total - granted - ahead)
  end
  if ahead > 0 then
    redis.call('INCRBY', all_ahead, ahead)
    redis.call('PEXPIRE', all_ahead, ${AHEAD_TOLD_MS})
  end
  reply[place] = granted
  reply[place + 1] = ahead
  reply[place + 2] = granted < wanted and held(all_ahead) > 0 and 1 or 0
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

/** Takes up to `count` from all windows of a subject at once, and room ahead where that is asked for; what is not granted leaves no trace. */
export type TakeShared = (
  subject: string,
  windows: readonly RateWindow[],
  count: number,
  ahead?: AheadAsked,
) => Promise<SharedGrant>;

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

  return (subject, windows, count, ahead = NOTHING_AHEAD) => {
    const { promise, resolve, reject } = Promise.withResolvers<SharedGrant>();
    waiting.push({ subject, windows, count, ahead, resolve, reject });
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
  for (const { subject, windows, count, ahead } of asked) {
    const { granted, unused, grantedAtMs } = ahead.ended ?? NEVER_HELD;
    args.push(count, ahead.wanted, granted, unused, grantedAtMs, windows.length);
    for (const window of windows) {
      keys.push(windowName(subject, window));
      args.push(window.limit, window.seconds);
    }
  }
  try {
    const [nowMs = 0, ...counts] = await evaluate(redis, keys, args);
    let place = 0;
    for (const { windows, resolve } of asked) {
      const [granted = 0, ahead = 0, isHeldElsewhere = 0, ...used] = counts.slice(
        place,
        place + 3 + windows.length,
      );
      place += 3 + windows.length;
      resolve({ granted, ahead, isHeldElsewhere: isHeldElsewhere === 1, used, nowMs });
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
