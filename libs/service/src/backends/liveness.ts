import { errors, type Pool } from 'undici';
import type { CallQueue } from './call-queue.ts';

/** Any HTTP answer says that a process lives, also one of a release that doesn't know the path. */
const PROBE = { method: 'GET', path: '/health/live' } as const;
/** How often a process that can't be reached is asked. */
const RETRY_MS = 1_000;

/**
 * Whether a process answers at all. A call that takes long says nothing of its process. So a process that has let calls wait for half
 * of `silenceMs` without any answer is asked whether it lives; one that hasn't answered that either at the end of `silenceMs` is
 * silent, as one that is paused or cut off. One to which a call could not even be sent is unreachable. Both are asked again and
 * again, and live from their first answer on.
 */
export interface Liveness {
  isSilent(): boolean;
  isUnreachable(): boolean;
  /** Whether nothing has to be looked at. */
  isIdle(): boolean;
  /**
   * Looks at it, and asks it where it has to be asked. Cheap: to be called several times a second.
   * @param isUrgent whether somebody waits for an unreachable one
   */
  check(isUrgent: boolean): void;
  /** Something has come from it. */
  heard(): void;
  /** A call could not be sent there. */
  refused(): void;
  close(): Promise<void>;
}

export function createLiveness(options: {
  calls: Pick<CallQueue, 'silentMs' | 'size'>;
  /** For the question alone: all other connections may be taken. */
  pool: Pick<Pool, 'request' | 'destroy'>;
  silenceMs: number;
  /** It lives, after it was silent or unreachable. */
  onBack: () => void;
  now?: () => number;
}): Liveness {
  const { calls, pool, silenceMs, onBack, now = () => performance.now() } = options;
  let state: 'alive' | 'silent' | 'unreachable' = 'alive';
  let heardMs = Number.NEGATIVE_INFINITY;
  let askedMs = Number.NEGATIVE_INFINITY;
  let isAsking = false;
  const heard = () => {
    heardMs = now();
    if (state === 'alive') return;
    state = 'alive';
    onBack();
  };
  const ask = async () => {
    isAsking = true;
    askedMs = now();
    try {
      const { body } = await pool.request({ ...PROBE, signal: AbortSignal.timeout(silenceMs) });
      heard();
      await body.dump();
    } catch (error) {
      if (isRefusal(error)) state = 'unreachable';
      // Also where all who waited for it have given up meanwhile.
      else if (isLate(error) && heardMs < askedMs) state = 'silent';
    } finally {
      isAsking = false;
    }
  };
  const hasToAsk = (silentMs: number, isUrgent: boolean) => {
    if (isAsking) return false;
    if (state === 'unreachable') return isUrgent || now() - askedMs >= RETRY_MS;
    return state === 'silent' || silentMs >= silenceMs / 2;
  };
  return {
    isSilent: () => state === 'silent',
    isUnreachable: () => state === 'unreachable',
    isIdle: () => state === 'alive' && calls.size() === 0 && !isAsking,
    check(isUrgent) {
      const silentMs = Math.min(calls.silentMs(), now() - heardMs);
      // Asked some time ago: where we ourselves were held up, its answer may not have been read yet.
      const isUnanswered = isAsking && now() - askedMs >= silenceMs / 4;
      if (state === 'alive' && isUnanswered && silentMs >= silenceMs) state = 'silent';
      if (hasToAsk(silentMs, isUrgent)) void ask();
    },
    heard,
    refused() {
      state = 'unreachable';
    },
    close: () => pool.destroy(),
  };
}

const REFUSALS = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']);
const isLate = (error: unknown) =>
  (error as Error).name === 'TimeoutError' || error instanceof errors.ConnectTimeoutError;
const isRefusal = (error: unknown) => REFUSALS.has((error as { code?: string }).code ?? '');
