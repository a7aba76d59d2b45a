import type { TenantTransaction } from '@frontdesk/database';
import { lockCall } from '../data/call.repository.ts';
import { writeCall } from './write-call.ts';

/** Announces a call that has waited long enough: its end, or its changes since. Not one that was announced meanwhile. */
export async function announceCall(tx: TenantTransaction, id: number): Promise<void> {
  const call = await lockCall(tx, id);
  if (!call?.is_announcement_due) return;
  await writeCall(tx, call, call, { isLinkDue: call.is_link_due, isTimeUp: true });
}
