import {
  isConstraintViolation,
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { type AccountRow, foldEmail } from './account.rules.ts';
import { invitationEntity } from './invitation.entity.ts';
import type { OpenInvitation } from './invitation.rules.ts';

const forgetOld = tenantSql<never>(
  'invitations_forget_old',
  'delete from admin_invitations where tenant_id = $tenantId and expires_at <= now()',
);

interface SaveArgs {
  email: string;
  folded: string;
  tokenHash: string;
  invitedBy: number;
  days: number;
  max: number;
}

const save = tenantSql<{ id: number; expires_at: Date }, SaveArgs>(
  'invitations_save',
  `insert into admin_invitations as i (tenant_id, email, email_folded, token_hash, invited_by, expires_at)
   select $tenantId, $email::text, $folded::text, $tokenHash::text, $invitedBy::bigint, now() + make_interval(days => $days)
   where (select count(*) from admin_invitations where tenant_id = $tenantId and email_folded <> $folded) < $max
   on conflict (tenant_id, email_folded) do update set email = excluded.email, token_hash = excluded.token_hash,
     invited_by = excluded.invited_by, created_at = now(), expires_at = excluded.expires_at
   returning id, expires_at`,
);

/** One link to an address at a time: a new one voids the one before. Null where the tenant has `max` open ones. */
export async function saveInvitation(
  tx: TenantTransaction,
  invitation: { email: string; tokenHash: string; invitedBy: number; days: number; max: number },
) {
  const { email, tokenHash, invitedBy, days, max } = invitation;
  await tx.run(forgetOld);
  const address = { email: email.trim(), folded: foldEmail(email) };
  return tx.maybeOne(save, { ...address, tokenHash, invitedBy, days, max });
}

const SELECT = `select i.tenant_id, i.id, i.email, i.email_folded, i.invited_by, i.created_at, i.expires_at,
     a.email as invited_by_email
   from admin_invitations i join memberships m on m.tenant_id = i.tenant_id and m.id = i.invited_by
   join accounts a on a.id = m.account_id`;

const listOpen = tenantSql<OpenInvitation>(
  'invitations_list',
  `${SELECT} where i.tenant_id = $tenantId and i.expires_at > now() order by i.id`,
);

export const listInvitations = (db: TenantReads) => db.many(listOpen);

export const findInvitation = (db: TenantReads, id: number) =>
  db.repository(invitationEntity).findOne({ id });

const findByToken = systemSql<OpenInvitation, { tokenHash: string }>(
  'invitations_find_by_token',
  `${SELECT} join invitation_links l on l.tenant_id = i.tenant_id and l.invitation_id = i.id
   where l.token_hash = $tokenHash and l.expires_at > now()`,
);

/** Whom a link invites; null where it is unknown, used, revoked or too old. */
export const findInvitationByToken = (system: SystemScope, tokenHash: string) =>
  system.maybeOne(findByToken, { tokenHash });

/** False where it is gone already. */
export const deleteInvitation = async (db: TenantReads, id: number) =>
  (await db.repository(invitationEntity).delete({ id })) === 1;

const accept = systemSql<
  Pick<AccountRow, 'id' | 'credentials_version'>,
  { tokenHash: string; passwordHash: string }
>(
  'invitations_accept',
  `with used as (
     delete from admin_invitations i using invitation_links l
     where l.token_hash = $tokenHash and l.expires_at > now() and i.tenant_id = l.tenant_id and i.id = l.invitation_id
     returning i.tenant_id, i.email, i.email_folded, i.invited_by
   ), account as (
     insert into accounts (email, email_folded, password_hash)
     select email, email_folded, $passwordHash::text from used returning id, credentials_version
   ), membership as (
     insert into memberships (tenant_id, account_id, invited_by)
     select used.tenant_id, account.id, used.invited_by from used cross join account
   )
   select id, credentials_version from account`,
);

/**
 * Makes an admin of whom a link invites, once; null where somebody was faster, or the address signs in elsewhere:
 * nobody who invites learns of another tenant's admins.
 */
export async function acceptInvitation(system: SystemScope, tokenHash: string, passwordHash: string) {
  try {
    return await system.maybeOne(accept, { tokenHash, passwordHash });
  } catch (error) {
    if (!isConstraintViolation(error, 'accounts_email_unique')) throw error;
    return null;
  }
}
