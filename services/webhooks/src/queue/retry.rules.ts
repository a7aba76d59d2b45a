import { DELIVERY_JITTER, MAX_RETRY_AFTER_HOURS } from '@frontdesk/contracts';
import type { AttemptOutcome } from '../receivers/attempt.rules.ts';

const MIN_RETRY_AFTER_MS = 1_000;
const MAX_RETRY_AFTER_MS = MAX_RETRY_AFTER_HOURS * 3_600_000;
/** The statuses whose `Retry-After` is heeded: too many requests, and service unavailable. */
const ASKS_FOR_PATIENCE = new Set([429, 503]);

export interface RetrySchedule {
  /** Milliseconds from the end of attempt `attempt` (1-based) to the next, or null when it was the last. */
  delayAfterMs(attempt: number, retryAfterMs: number | null): number | null;
}

/** One attempt at once and one after each delay. A receiver may ask for longer within bounds, never for sooner. */
export function createRetrySchedule(delaysSeconds: readonly number[], random = Math.random): RetrySchedule {
  return {
    delayAfterMs(attempt, retryAfterMs) {
      const seconds = delaysSeconds[attempt - 1];
      if (seconds === undefined) return null;
      const scheduledMs = Math.round(
        seconds * 1_000 * (1 - DELIVERY_JITTER + 2 * DELIVERY_JITTER * random()),
      );
      if (retryAfterMs === null) return scheduledMs;
      return Math.max(scheduledMs, Math.min(Math.max(retryAfterMs, MIN_RETRY_AFTER_MS), MAX_RETRY_AFTER_MS));
    },
  };
}

/** For how long a receiver asks to be left alone, from now on; null where it doesn't. */
export function retryAfterMs({ httpStatus, responseHeaders }: AttemptOutcome, nowMs: number): number | null {
  if (httpStatus === null || !ASKS_FOR_PATIENCE.has(httpStatus)) return null;
  return parseRetryAfter(responseHeaders?.['retry-after'] ?? null, nowMs);
}

/** `Retry-After` in milliseconds from now: whole seconds or an HTTP date. Null where it says neither. */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
