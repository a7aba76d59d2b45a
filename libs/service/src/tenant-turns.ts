import { AppError } from './errors.ts';

/** Tenant → the end of its last turn that has been asked for. */
const turns = new Map<number, Promise<void>>();

/**
 * Runs long work of one tenant one after the other, whichever request it is for: so a tenant uses one core at most, be it of this
 * process or of PostgreSQL. Ask for a turn for each portion of the work, so that a tenant's short requests needn't wait for the whole
 * of a long one; never within a transaction, whose connection would wait too.
 *
 * @throws AppError `request_timeout` where the signal has aborted when the turn comes
 */
export async function inTurn<Result>(
  tenantId: number,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = turns.get(tenantId) ?? Promise.resolve();
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const ended = before.then(() => end);
  turns.set(tenantId, ended);
  try {
    await before;
    if (signal.aborted) throw new AppError('request_timeout', 'The client has gone.');
    return await work();
  } finally {
    resolve();
    if (turns.get(tenantId) === ended) turns.delete(tenantId);
  }
}
