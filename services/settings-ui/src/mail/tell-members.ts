import type { TenantReads } from '@frontdesk/database';
import { listMembers } from '../accounts/membership.repository.ts';
import { queueEmail } from './email.repository.ts';
import type { BusinessDetails } from './email.rules.ts';

/** An email of a business to all its members. */
export async function tellMembers<Kind extends 'new_key' | 'endpoint_disabled'>(
  db: TenantReads,
  email: { kind: Kind; details: BusinessDetails[Kind] },
): Promise<void> {
  const recipients = (await listMembers(db)).map((member) => member.email);
  if (recipients.length > 0) await queueEmail(db, { ...email, recipients });
}
