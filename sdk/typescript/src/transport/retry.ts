import { ApiError, ConnectionError } from '../errors.ts';
import type { Call, PassingError } from './call.ts';

/** Attempts after the first one, unless the program says otherwise. */
export const MAX_RETRIES = 2;
/** All waits of one call that answers ask for, unless the program says otherwise: a longer silence looks like a hang. */
export const MAX_RETRY_WAIT_MS = 2_000;
/** All waits of one call together, where no answer asks for one. */
const MAX_BACKOFFS_MS = 60_000;
/** As the guide on errors lists them. After most of these nobody knows whether the request had its effect. */
const REPEATED = new Set([408, 429, 500, 502, 503, 504]);
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 8_000;
/** Clients that were refused at the same moment don't return at the same moment. */
export const SPREAD_MS = 250;

/**
 * How long to wait before the call is sent again; null: never again.
 * @param attempts so far
 * @param waitedMs so far
 * @param maxRetryWaitMs bounds all waits together where the answer asks for this one, as every 429 does
 */
export function waitBeforeRetry(
  call: Call,
  error: PassingError,
  { attempts, waitedMs, maxRetryWaitMs }: { attempts: number; waitedMs: number; maxRetryWaitMs: number },
): number | null {
  if (!mayRepeat(call, error)) return null;
  const asked = error instanceof ApiError ? error.retryAfterMs : null;
  const isLimited = asked !== null || (error instanceof ApiError && error.status === 429);
  const leftMs = (isLimited ? maxRetryWaitMs : Math.max(MAX_BACKOFFS_MS, maxRetryWaitMs)) - waitedMs;
  if (asked !== null) return asked > leftMs ? null : Math.min(asked + SPREAD_MS * Math.random(), leftMs);
  const waitMs = backoffMs(attempts, MAX_BACKOFF_MS);
  return waitMs > leftMs ? null : waitMs;
}

/** A random wait between half of a bound and the bound, which doubles with each failure in a row. */
export const backoffMs = (failures: number, maxMs: number): number =>
  (Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), maxMs) * (1 + Math.random())) / 2;

/** Whether the same request may get another answer later. */
export const passesBy = (error: unknown): error is PassingError =>
  error instanceof ConnectionError ||
  // A first attempt that is still at work: its answer can be had a little later.
  (error instanceof ApiError && (REPEATED.has(error.status) || error.code === 'request_in_progress'));

/** A request that was refused before it had any effect may always be sent again. */
const mayRepeat = (call: Call, error: PassingError): boolean =>
  (error instanceof ApiError && error.status === 429) || isRepeatable(call);

/**
 * Whether the call may be sent again. A POST with a key has one effect. Cancelling twice is cancelling, but with `ifMatch` the
 * second time is refused because of the first. A PATCH that is sent again could undo what somebody has changed in between.
 */
function isRepeatable({ method, idempotencyKey, ifMatch }: Call): boolean {
  switch (method) {
    case 'GET':
      return true;
    case 'POST':
      return idempotencyKey !== undefined;
    case 'DELETE':
      return ifMatch === undefined;
    case 'PATCH':
      return false;
  }
}
