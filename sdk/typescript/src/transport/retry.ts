import { ApiError, ConnectionError } from '../errors.ts';
import type { Call } from './call.ts';

/** Attempts after the first one, unless the program says otherwise. */
export const MAX_RETRIES = 2;
/** All waits of one call together. A longer one, such as until the next day, is left to the program. */
const MAX_WAIT_MS = 60_000;
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 8_000;
/** Clients that were refused at the same moment don't return at the same moment. */
export const SPREAD_MS = 250;

/** After these nobody knows whether the request had its effect. */
const UNCERTAIN = new Set([502, 503, 504]);

/**
 * How long to wait before the call is sent again; null: never again.
 * @param attempts so far
 * @param waitedMs so far, up to `MAX_WAIT_MS`
 */
export function waitBeforeRetry(
  call: Call,
  error: unknown,
  { attempts, waitedMs, random = Math.random }: { attempts: number; waitedMs: number; random?: () => number },
): number | null {
  if (!mayRepeat(call, error)) return null;
  const asked = error instanceof ApiError ? error.retryAfterMs : null;
  const waitMs = asked === null ? backoffMs(attempts, MAX_BACKOFF_MS, random) : asked + SPREAD_MS * random();
  return waitedMs + waitMs > MAX_WAIT_MS ? null : waitMs;
}

/** A random wait between half of a bound and the bound, which doubles with each failure in a row. */
export const backoffMs = (failures: number, maxMs: number, random = Math.random): number =>
  (Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), maxMs) * (1 + random())) / 2;

function mayRepeat(call: Call, error: unknown): boolean {
  if (error instanceof ConnectionError) return isRepeatable(call);
  if (!(error instanceof ApiError)) return false;
  // The request was refused before it had any effect.
  if (error.status === 429) return true;
  // The first attempt may still be at work: its answer can be had a little later.
  if (error.code === 'request_in_progress') return true;
  return UNCERTAIN.has(error.status) && isRepeatable(call);
}

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
