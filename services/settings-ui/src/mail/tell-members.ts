import type { TenantReads } from '@frontdesk/database';
import { listMembers } from '../accounts/membership.repository.ts';
import { queueToMembers } from './email.repository.ts';
import type { BusinessDetails } from './email.rules.ts';

/** An email of a business to all its members, but who it tells of (`except`, a membership). */
export async function tellMembers<Kind extends 'new_key' | 'key_asked' | 'new_member' | 'endpoint_disabled'>(
  db: TenantReads,
  { except, ...email }: { kind: Kind; details: BusinessDetails[Kind]; except?: number },
): Promise<void> {
  const members = (await listMembers(db)).filter(({ id }) => id !== except);
  if (members.length > 0) await queueToMembers(db, { ...email, members });
}
