import type { TenantTransaction } from '@frontdesk/database';
import { lockCall } from '../data/call-state.repository.ts';
import { type CustomerAnswer, findLink } from './find-link.ts';
import { writeCall } from './write-call.ts';

/** Links a call that has no customer yet to the one that its number is known by now to belong to. */
export async function linkCall(
  tx: TenantTransaction,
  id: number,
  answer: CustomerAnswer | null,
): Promise<void> {
  const call = await lockCall(tx, id);
  if (!call) return;
  const { customer_id, isLinkDue } = await findLink(tx, call, call.customer_number, answer);
  await writeCall(tx, call, { ...call, customer_id }, { isSettled: false, isLinkDue });
}
