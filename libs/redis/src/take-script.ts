import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import {
  AHEAD_TOLD_MS,
  type AheadAsked,
  type EndedAhead,
  type RateWindow,
  type SharedGrant,
} from './grants.ts';

/** What one subject asks for. */
export interface Take {
  subject: string;
  windows: readonly RateWindow[];
  count: number;
  ahead: AheadAsked;
}

const NEVER_HELD: EndedAhead = { granted: 0, unused: 0, grantedAtMs: 0 };
/** So much room has to be left for each that is granted ahead. */
const ROOM_FOR_ONE_AHEAD = 16;

const windowName = (subject: string, { name }: RateWindow) => `rate:{${subject}}:${name}`;

/** Where Redis counts what the subject takes of this window at this time. */
export const rateCounter = (subject: string, window: RateWindow, nowMs: number): string =>
  `${windowName(subject, window)}:${Math.floor(nowMs / (window.seconds * 1_000))}`;

/**
 * KEYS: for all that ask the names of their windows; a counter's name has the window's number behind it. ARGV: for each that
 * asks, how many are wanted, now and ahead; of what it held ahead, how much that was, how much is unused, and when it was
 * granted; the number of windows, then limit and seconds of each. The answer: Redis's clock in milliseconds, then for each
 * that asks what is granted, now and ahead, whether others hold room, and what its windows had used.
 * Grants up to what every window still has room for and counts only that: what is too much is taken back, as nobody sees
 * a counter in between. A counter outlives its window by a second: what ends it is that the next one has another name.
 * Ahead goes a small part of the room that is left then, which counts as used until it is given back. How much of a
 * subject's room all processes hold ahead is counted beside its first window, until what they held has to be given back.
 * A counter is changed by one call, by what is taken less what is given back, and by a second one only where less is granted:
 * calls are what a script's time goes into. What is given back of a window that is over is dropped. A counter that comes out
 * below what is taken was lost, or is new, and begins anew.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local reply = { now }
local key, arg = 1, 1
while arg < #ARGV do
  local wanted, wanted_ahead = tonumber(ARGV[arg]), tonumber(ARGV[arg + 1])
  local was_ahead, unused, since = tonumber(ARGV[arg + 2]), tonumber(ARGV[arg + 3]), tonumber(ARGV[arg + 4])
  local windows = tonumber(ARGV[arg + 5])
  arg = arg + 6
  local total, room, place, names = wanted + wanted_ahead, math.huge, #reply + 1, {}
  for i = 1, windows do
    local span = ARGV[arg + 2 * i - 1] * 1000
    local window = math.floor(now / span)
    local name = KEYS[key + i - 1] .. ':' .. string.format('%.0f', window)
    names[i] = name
    local back = unused > 0 and math.floor(since / span) == window and unused or 0
    local used
    if total > 0 or back > 0 then
      used = redis.call('INCRBY', name, total - back) - total
      if used <= 0 then
        used = 0
        redis.call('SET', name, total)
        redis.call('PEXPIREAT', name, (window + 1) * span + 1000)
      end
    else
      used = tonumber(redis.call('GET', name) or 0)
    end
    room = math.min(room, ARGV[arg + 2 * i - 2] - used)
    reply[place + 2 + i] = used
  end
  local granted = math.max(0, math.min(wanted, room))
  local ahead = math.max(0, math.min(wanted_ahead, math.floor((room - granted) / ${ROOM_FOR_ONE_AHEAD})))
  for i = 1, granted + ahead < total and windows or 0 do
    redis.call('DECRBY', names[i], total - granted - ahead)
  end
  local all_ahead = KEYS[key] .. ':ahead'
  local ended = was_ahead > 0 and now - since <= ${AHEAD_TOLD_MS} and was_ahead or 0
  if ahead > 0 or ended > 0 then
    local held = redis.call('INCRBY', all_ahead, ahead - ended)
    if held <= ahead then
      redis.call('SET', all_ahead, ahead, 'PX', ${AHEAD_TOLD_MS})
    elseif ahead > 0 then
      redis.call('PEXPIRE', all_ahead, ${AHEAD_TOLD_MS})
    end
  end
  reply[place] = granted
  reply[place + 1] = ahead
  reply[place + 2] = granted < wanted and tonumber(redis.call('GET', all_ahead) or 0) > 0 and 1 or 0
  key = key + windows
  arg = arg + 2 * windows
end
return reply
`;

const TAKE_SHA = createHash('sha1').update(TAKE).digest('hex');

/** Takes for all of them in one call. @returns their grants, in their order */
export async function takeAll(redis: Redis, takes: readonly Take[]): Promise<SharedGrant[]> {
  const keys: string[] = [];
  const args: number[] = [];
  for (const { subject, windows, count, ahead } of takes) {
    const { granted, unused, grantedAtMs } = ahead.ended ?? NEVER_HELD;
    args.push(count, ahead.wanted, granted, unused, grantedAtMs, windows.length);
    for (const window of windows) {
      keys.push(windowName(subject, window));
      args.push(window.limit, window.seconds);
    }
  }
  const [nowMs = 0, ...answer] = await evaluate(redis, keys, args);
  let place = 0;
  return takes.map(({ windows }) => {
    const end = place + 3 + windows.length;
    const [granted = 0, ahead = 0, isHeldElsewhere = 0, ...used] = answer.slice(place, end);
    place = end;
    return { granted, ahead, isHeldElsewhere: isHeldElsewhere === 1, used, nowMs };
  });
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
