import { AppError } from './errors.ts';

/** A turn that took longer is followed by a rest, in milliseconds. That of a business of a usual size takes a few. */
const LONG_MS = 20;
/** Longest rest, in milliseconds. */
const MAX_REST_MS = 200;

/** Tenant → the end of its last turn that has been asked for. */
const turns = new Map<number, Promise<void>>();

/**
 * Runs long work of one tenant one after the other, whichever requests it is for: so a tenant uses one core at most, be it of this
 * process or of PostgreSQL. While more of its work waits, a long turn is followed by a rest as long, so that others get a share of that
 * core too. Ask for a turn for each portion of the work: a tenant's short requests then needn't wait for the whole of a long one. Never
 * ask within a transaction, whose connection would wait too.
 *
 * @throws AppError `request_timeout` where the signal has aborted when the turn comes
 */
export async function inTurn<Result>(
  tenantId: number,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = turns.get(tenantId);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  turns.set(tenantId, ended);
  await before;
  const begun = performance.now();
  try {
    if (signal.aborted) throw new AppError('request_timeout', 'The client has gone.');
    return await work();
  } finally {
    const tookMs = performance.now() - begun;
    const isLast = turns.get(tenantId) === ended;
    if (isLast) turns.delete(tenantId);
    if (isLast || tookMs < LONG_MS) resolve();
    else setTimeout(resolve, Math.min(tookMs, MAX_REST_MS));
  }
}
