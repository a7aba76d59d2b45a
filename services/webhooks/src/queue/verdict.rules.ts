import type { AttemptOutcome } from '../receivers/attempt.rules.ts';
import { type RetrySchedule, retryAfterMs } from './retry.rules.ts';

/** What an attempt makes of its delivery. `delayMs` is set exactly while it stays pending. */
export type Verdict =
  | { status: 'delivered' | 'failed'; delayMs: null; disablesEndpoint: boolean }
  | { status: 'pending'; delayMs: number; disablesEndpoint: false };

const GONE = 410;

/** Judges attempt number `attempt` (1-based): only a 2xx delivers, and 410 says never to come back. */
export function judge(
  outcome: AttemptOutcome,
  attempt: number,
  schedule: RetrySchedule,
  nowMs: number,
): Verdict {
  const { httpStatus, errorClass } = outcome;
  if (errorClass === null) return { status: 'delivered', delayMs: null, disablesEndpoint: false };
  if (httpStatus === GONE) return { status: 'failed', delayMs: null, disablesEndpoint: true };
  const delayMs = schedule.delayAfterMs(attempt, retryAfterMs(outcome, nowMs));
  if (delayMs === null) return { status: 'failed', delayMs, disablesEndpoint: false };
  return { status: 'pending', delayMs, disablesEndpoint: false };
}
