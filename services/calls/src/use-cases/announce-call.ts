import type { TenantTransaction } from '@frontdesk/database';
import { lockCall } from '../data/call-state.repository.ts';
import { writeCall } from './write-call.ts';

/** Tells of a call that has waited long enough: of its end, or of what has changed since. Not of one told of meanwhile. */
export async function announceCall(tx: TenantTransaction, id: number): Promise<void> {
  const call = await lockCall(tx, id);
  if (!call?.is_announcement_due) return;
  await writeCall(tx, call, call, { isLinkDue: call.is_link_due, isTimeUp: true });
}
