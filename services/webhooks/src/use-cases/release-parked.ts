import type { TenantTransaction } from '@frontdesk/database';
import { lockReleasingEndpoint, releaseParked, setNextRelease } from '../data/suspension.repository.ts';
import { MAX_IN_QUEUE, PATIENCE_MS } from '../domain/replay-plan.ts';

/**
 * One batch of what waited for an endpoint while its tenant was suspended, as fast as a replay: what it makes due and when
 * the next batch may come are one transaction. Null where another process has it just now.
 */
export async function releaseBatch(
  tx: TenantTransaction,
  endpointId: number,
  perSecond: number,
): Promise<{ released: number; delayMs: number | null } | null> {
  const endpoint = await lockReleasingEndpoint(tx, endpointId, MAX_IN_QUEUE);
  if (endpoint === null) return null;
  const allowance = Math.min(Math.ceil(perSecond), MAX_IN_QUEUE - endpoint.in_queue);
  const released = allowance > 0 ? await releaseParked(tx, endpointId, allowance) : 0;
  const isDone = allowance > 0 && released < allowance;
  const delayMs = released > 0 ? Math.ceil((released / perSecond) * 1_000) : PATIENCE_MS;
  const next = { released, delayMs: isDone ? null : delayMs };
  await setNextRelease(tx, endpointId, next.delayMs);
  return next;
}
