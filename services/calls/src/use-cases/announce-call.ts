import type { TenantTransaction } from '@frontdesk/database';
import { lockCall } from '../data/call-state.repository.ts';
import { writeCall } from './write-call.ts';

/** Announces a call as ended that has waited long enough for its analysis; not one whose analysis has just landed. */
export async function announceCall(tx: TenantTransaction, id: number): Promise<void> {
  const call = await lockCall(tx, id);
  if (!call?.is_announcement_due) return;
  await writeCall(tx, call, call, { isSettled: true, isLinkDue: call.is_link_due });
}
