import { createFairQueue } from '@frontdesk/fair';
import { AppError } from '../errors/app-error.ts';

/** Longer work is followed by a rest. That of a business of usual size takes a few milliseconds. */
const LONG_MS = 20;
/** Longest rest, in milliseconds. */
const MAX_REST_MS = 200;

const queue = createFairQueue<number>({
  perHolder: 1,
  restMs: (tookMs) => (tookMs < LONG_MS ? 0 : Math.min(tookMs, MAX_REST_MS)),
  refusal: () => new AppError('request_timeout', 'The client has gone.'),
});

/**
 * Runs long work of one tenant one after the other, whichever requests it is for: so a tenant uses one core at most, be it of this
 * process or of PostgreSQL. While more of its work waits, a long portion is followed by a rest as long, so that others get a share of
 * that core too. Ask for a place for each portion of the work: a tenant's short requests then needn't wait for the whole of a long one.
 * Never ask within a transaction, whose connection would wait too.
 *
 * @throws AppError `request_timeout` where the signal has aborted before the work begins
 */
export const inTenantQueue = <Result>(
  tenantId: number,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> => queue.run(tenantId, work, signal);
