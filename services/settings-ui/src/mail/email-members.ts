import { ROLE_SCOPES, type Scope } from '@frontdesk/contracts';
import type { TenantReads } from '@frontdesk/database';
import { listMembers } from '../accounts/membership.repository.ts';
import { queueToMembers } from './email.repository.ts';
import type { BusinessDetails, BusinessKind } from './email.rules.ts';

/**
 * Queues an email of a business to all its members. `except`: the membership that it is about; `may`: only to those whose role
 * allows this.
 */
export async function emailMembers<Kind extends Exclude<BusinessKind, 'invitation'>>(
  db: TenantReads,
  { except, may, ...email }: { kind: Kind; details: BusinessDetails[Kind]; except?: number; may?: Scope },
): Promise<void> {
  const members = (await listMembers(db)).filter(
    ({ id, role }) => id !== except && (may === undefined || ROLE_SCOPES[role].includes(may)),
  );
  if (members.length > 0) await queueToMembers(db, { ...email, members });
}
