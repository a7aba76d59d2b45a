import type { TenantReads } from '@frontdesk/database';
import { listMembers } from '../accounts/membership.repository.ts';
import { queueToMembers } from './email.repository.ts';
import type { BusinessDetails, BusinessKind } from './email.rules.ts';

/** Queues an email of a business to all its members. `except`: the membership that it is about. */
export async function emailMembers<Kind extends Exclude<BusinessKind, 'invitation'>>(
  db: TenantReads,
  { except, ...email }: { kind: Kind; details: BusinessDetails[Kind]; except?: number },
): Promise<void> {
  const members = (await listMembers(db)).filter(({ id }) => id !== except);
  if (members.length > 0) await queueToMembers(db, { ...email, members });
}
