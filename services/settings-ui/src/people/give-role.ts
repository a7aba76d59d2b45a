import type { MemberRole } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import type { Member } from '../accounts/account.rules.ts';
import { deleteInvitationsBy } from '../accounts/invitation.repository.ts';
import { findMember, lockMembers, setRole } from '../accounts/membership.repository.ts';

/**
 * Gives a member another role, from the next request on. Only owners invite: the open invitations of a former owner are
 * deleted.
 * @returns null where they are no member
 */
export async function giveRole(tx: TenantTransaction, id: number, role: MemberRole): Promise<Member | null> {
  await lockMembers(tx);
  await setRole(tx, id, role);
  if (role !== 'owner') await deleteInvitationsBy(tx, id);
  return findMember(tx, id);
}
