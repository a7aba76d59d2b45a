import type { TenantTransaction } from '@frontdesk/database';
import { lockReleasingEndpoint, releaseParked, setNextRelease } from '../data/suspension.repository.ts';
import { MAX_IN_QUEUE, PATIENCE_MS } from '../domain/queue-bound.ts';

/**
 * Releases one batch of parked deliveries of an endpoint, at the rate of replays. The release and the time of the next batch
 * are one transaction. Null where another process has the endpoint.
 */
export async function releaseBatch(
  tx: TenantTransaction,
  endpointId: number,
  perSecond: number,
): Promise<{ released: number; delayMs: number | null } | null> {
  const endpoint = await lockReleasingEndpoint(tx, endpointId, MAX_IN_QUEUE);
  if (endpoint === null) return null;
  const maxQueued = Math.min(Math.ceil(perSecond), MAX_IN_QUEUE - endpoint.in_queue);
  const released = maxQueued > 0 ? await releaseParked(tx, endpointId, maxQueued) : 0;
  const isDone = maxQueued > 0 && released < maxQueued;
  const delayMs = released > 0 ? Math.ceil((released / perSecond) * 1_000) : PATIENCE_MS;
  const next = { released, delayMs: isDone ? null : delayMs };
  await setNextRelease(tx, endpointId, next.delayMs);
  return next;
}
