import type { Redis } from 'ioredis';
import type { AheadAsked, RateWindow, SharedGrant } from './grants.ts';
import { type Take, takeAll } from './take-script.ts';

/** One of those that travel in the same call. */
interface Asked extends Take {
  resolve: (grant: SharedGrant) => void;
  reject: (error: unknown) => void;
}

const NOTHING_AHEAD: AheadAsked = { wanted: 0, ended: null };
/** Of one call: Redis does nothing else meanwhile. */
const MAX_ASKED = 100;
/** Nobody waits longer than this for a call that is under way before there is another. */
const LONGEST_WAIT_MS = 10;

/** Takes up to `count` from all windows of a subject at once, and room ahead where that is asked for; what is not granted leaves no trace. */
export type TakeShared = (
  subject: string,
  windows: readonly RateWindow[],
  count: number,
  ahead?: AheadAsked,
) => Promise<SharedGrant>;

/** Returns one grant of `grantedAtMs` (the limiter's clock, epoch milliseconds) to the windows that are not over yet. */
export async function giveBack(
  take: TakeShared,
  subject: string,
  windows: readonly RateWindow[],
  grantedAtMs: number,
): Promise<void> {
  await take(subject, windows, 0, { wanted: 0, ended: { granted: 0, unused: 1, grantedAtMs } });
}

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
      parts.push(answer(redis, asked.slice(from, from + MAX_ASKED)));
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

async function answer(redis: Redis, asked: readonly Asked[]): Promise<void> {
  try {
    const grants = await takeAll(redis, asked);
    for (const [place, { resolve }] of asked.entries()) resolve(grants[place] as SharedGrant);
  } catch (error) {
    for (const { reject } of asked) reject(error);
  }
}
