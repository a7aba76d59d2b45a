import type { TenantReads } from '@frontdesk/database';
import { listMembers } from '../accounts/membership.repository.ts';
import { queueToMembers } from './email.repository.ts';
import { type BusinessDetails, type BusinessKind, isForRole } from './email.rules.ts';

/** The members of a business whom an email of this kind is for. */
export const membersFor = async (db: TenantReads, kind: BusinessKind) =>
  (await listMembers(db)).filter(({ role }) => isForRole(kind, role));

/** Queues an email of a business to the members whom it is for. `except`: the membership that it is about. */
export async function emailMembers<Kind extends Exclude<BusinessKind, 'invitation'>>(
  db: TenantReads,
  { except, ...email }: { kind: Kind; details: BusinessDetails[Kind]; except?: number },
): Promise<void> {
  const members = (await membersFor(db, email.kind)).filter(({ id }) => id !== except);
  if (members.length > 0) await queueToMembers(db, { ...email, members });
}
