import type { Redis } from 'ioredis';
import { counterNames, type Grant, type RateWindow } from './rate-windows.ts';
import { TAKE } from './take-script.ts';

/** Redis does nothing else while the script runs. */
const MAX_SUBJECTS_PER_CALL = 100;

interface Question {
  subject: string;
  windows: readonly RateWindow[];
  count: number;
  grantedAtMs: number;
}
type Asked = Question & PromiseWithResolvers<Grant>;

export interface SharedLimiter {
  /** Takes `count` requests from all windows of the subject, or none; a count of 0 only reads them. */
  take(subject: string, windows: readonly RateWindow[], count: number): Promise<Grant>;
  /** Gives back one request that was granted at `grantedAtMs` (the grant's `nowMs`), in the windows that have not ended. */
  giveBack(subject: string, windows: readonly RateWindow[], grantedAtMs: number): Promise<void>;
}

type RedisWithScript = Redis & {
  takeRequests(keys: number, ...keysAndArguments: (string | number)[]): Promise<number[]>;
};

/**
 * The count that all processes share. Questions of one event-loop turn share a call, which costs less than a call for each.
 * Their counters may be anywhere in Redis, so this needs one node, not a cluster.
 */
export function createSharedLimiter(
  redis: Redis,
  /** Longest wait for a call, where that is less than the connection's own. */
  { timeoutMs = 0 }: { timeoutMs?: number } = {},
): SharedLimiter {
  // ioredis sends the script's hash, and the script itself to a Redis that has forgotten it.
  redis.defineCommand('takeRequests', { lua: TAKE });
  let waiting: Asked[] = [];

  const askAll = () => {
    const asked = waiting;
    waiting = [];
    for (let from = 0; from < asked.length; from += MAX_SUBJECTS_PER_CALL)
      answerAll(redis as RedisWithScript, asked.slice(from, from + MAX_SUBJECTS_PER_CALL), timeoutMs);
  };
  const enqueue = (question: Question) => {
    const asked = { ...question, ...Promise.withResolvers<Grant>() };
    if (waiting.push(asked) === 1) setImmediate(askAll);
    return asked.promise;
  };

  return {
    take: (subject, windows, count) => enqueue({ subject, windows, count, grantedAtMs: 0 }),
    giveBack: async (subject, windows, grantedAtMs) =>
      void (await enqueue({ subject, windows, count: -1, grantedAtMs })),
  };
}

function answerAll(redis: RedisWithScript, asked: readonly Asked[], timeoutMs: number): void {
  const fail = (error: unknown) => {
    for (const { reject } of asked) reject(error);
  };
  // An answer that has arrived but waits behind a busy event loop still counts: one more turn lets it be read.
  const late = () => setImmediate(fail, new Error(`no answer within ${timeoutMs} ms`));
  const timer = timeoutMs > 0 ? setTimeout(late, timeoutMs) : undefined;
  ask(redis, asked)
    .catch(fail)
    .finally(() => clearTimeout(timer));
}

async function ask(redis: RedisWithScript, asked: readonly Asked[]): Promise<void> {
  const keys = asked.flatMap(({ subject, windows }) => counterNames(subject, windows));
  const args = asked.flatMap(({ windows, count, grantedAtMs }) => [
    ...[count, grantedAtMs, windows.length],
    ...windows.flatMap(({ limit, seconds }) => [limit, seconds]),
  ]);
  const [nowMs = 0, ...answers] = await redis.takeRequests(keys.length, ...keys, ...args);
  let place = 0;
  for (const { windows, resolve } of asked) {
    const [granted = 0, ...used] = answers.slice(place, place + 1 + windows.length);
    place += 1 + windows.length;
    resolve({ granted, used, nowMs });
  }
}
