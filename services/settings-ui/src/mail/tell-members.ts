import type { OperatorChange } from '@frontdesk/contracts';
import type { TenantReads } from '@frontdesk/database';
import { listMembers } from '../accounts/membership.repository.ts';
import { operatorNamed } from '../audit/audit.rules.ts';
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

/** Tells them of what was done at other services: by operators, or by the service itself. */
export async function tellOfChange(
  db: TenantReads,
  { action, actor, subject, outcome }: OperatorChange,
): Promise<void> {
  if (outcome !== 'done') return;
  if (action === 'key_created')
    await tellMembers(db, { kind: 'new_key', details: { name: subject, by: operatorNamed(actor).name } });
  if (action === 'endpoint_disabled')
    await tellMembers(db, { kind: 'endpoint_disabled', details: { url: subject } });
}
