import type { MemberRole } from '@frontdesk/contracts';
import {
  isConstraintViolation,
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { foldEmail } from './account.rules.ts';
import { invitationEntity } from './invitation.entity.ts';
import type { OpenInvitation } from './invitation.rules.ts';
import { ACCOUNT_IS_GONE } from './membership.repository.ts';

const forgetOld = tenantSql<never>(
  'invitations_forget_old',
  'delete from admin_invitations where tenant_id = $tenantId and expires_at <= now()',
);

interface SaveArgs {
  email: string;
  folded: string;
  role: MemberRole;
  invitedBy: number;
  days: number;
  max: number;
}

const save = tenantSql<{ id: number; expires_at: Date }, SaveArgs>(
  'invitations_save',
  `insert into admin_invitations as i (tenant_id, email, email_folded, role, invited_by, expires_at)
   select $tenantId, $email::text, $folded::text, $role::text, $invitedBy::bigint, now() + make_interval(days => $days)
   where (select count(*) from admin_invitations where tenant_id = $tenantId and email_folded <> $folded) < $max
   on conflict (tenant_id, email_folded) do update set email = excluded.email, role = excluded.role,
     invited_by = excluded.invited_by, created_at = now(), expires_at = excluded.expires_at, token_hash = null
   returning id, expires_at`,
);

/**
 * An address has one invitation to a business at a time. Its earlier links stay good, but for a link that 0.1.0 has shown to
 * the inviter. Null where the tenant has `max` open ones.
 */
export async function saveInvitation(
  tx: TenantTransaction,
  invitation: { email: string; role: MemberRole; invitedBy: number; days: number; max: number },
) {
  const { email, ...saved } = invitation;
  await tx.run(forgetOld);
  return tx.maybeOne(save, { email: email.trim(), folded: foldEmail(email), ...saved });
}

const renew = tenantSql<{ email: string }, { id: number; days: number }>(
  'invitations_renew',
  `update admin_invitations set expires_at = now() + make_interval(days => $days), token_hash = null
   where tenant_id = $tenantId and id = $id and expires_at > now() returning email`,
);

/** Null where it is gone. Its earlier links stay good, as in `saveInvitation`. */
export const renewInvitation = (db: TenantReads, args: { id: number; days: number }) =>
  db.maybeOne(renew, args);

const insertLink = tenantSql<
  Pick<OpenInvitation, 'role' | 'expires_at' | 'invited_by_email'>,
  { id: number; tokenHash: string }
>(
  'invitation_links_insert',
  `with link as (
     insert into invitation_links (tenant_id, invitation_id, token_hash, expires_at)
     select i.tenant_id, i.id, $tokenHash, i.expires_at from admin_invitations i
     where i.tenant_id = $tenantId and i.id = $id and i.expires_at > now()
     returning invitation_id, expires_at
   )
   select i.role, link.expires_at, a.email as invited_by_email
   from link join admin_invitations i on i.tenant_id = $tenantId and i.id = link.invitation_id
   join memberships m on m.tenant_id = $tenantId and m.id = i.invited_by
   join accounts a on a.id = m.account_id`,
);

/** One more link of an invitation; null where that is gone. */
export const insertInvitationLink = (db: TenantReads, link: { id: number; tokenHash: string }) =>
  db.maybeOne(insertLink, link);

const SELECT = `select i.tenant_id, i.id, i.email, i.email_folded, i.role, i.invited_by, i.created_at, i.expires_at,
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

/** The invitation of an address, which may have expired. */
export const findInvitationTo = (db: TenantReads, email: string) =>
  db.repository(invitationEntity).findOne({ email_folded: foldEmail(email) });

const findByToken = systemSql<OpenInvitation, { tokenHash: string }>(
  'invitations_find_by_token',
  `${SELECT} join invitation_links l on l.tenant_id = i.tenant_id and l.invitation_id = i.id
   where l.token_hash = $tokenHash and l.expires_at > now() and i.expires_at > now()`,
);

/** The invitation of a link; null where that is unknown, used, revoked or expired. */
export const findInvitationByToken = (system: SystemScope, tokenHash: string) =>
  system.maybeOne(findByToken, { tokenHash });

/** Those that a member has made. */
export const deleteInvitationsBy = (db: TenantReads, membershipId: number) =>
  db.repository(invitationEntity).delete({ invited_by: membershipId });

/** False where it is gone already. */
export const deleteInvitation = async (db: TenantReads, id: number) =>
  (await db.repository(invitationEntity).delete({ id })) === 1;

/** The membership that came of an invitation. */
interface Joined {
  id: number;
  account_id: number;
  credentials_version: number;
  /** False where the account was a member already. */
  is_new: boolean;
}

const USED = `used as (
     delete from admin_invitations i using invitation_links l
     where i.tenant_id = $tenantId and l.tenant_id = $tenantId and i.id = l.invitation_id
       and l.token_hash = $tokenHash and l.expires_at > now()
     returning i.email, i.email_folded, i.role, i.invited_by
   )`;

const withPassword = tenantSql<Joined, { tokenHash: string; passwordHash: string }>(
  'invitations_accept_with_password',
  `with ${USED}, account as (
     insert into accounts (email, email_folded, password_hash)
     select email, email_folded, $passwordHash::text from used returning id, credentials_version
   ), membership as (
     insert into memberships (tenant_id, account_id, role, invited_by)
     select $tenantId, account.id, used.role, used.invited_by from used cross join account returning id, account_id
   )
   select membership.id, membership.account_id, account.credentials_version, true as is_new
   from membership cross join account`,
);

/** Makes an account for the invited address, and a member of it, once; null where somebody was faster. */
export async function acceptWithPassword(
  tx: TenantTransaction,
  tokenHash: string,
  passwordHash: string,
): Promise<Joined | null> {
  try {
    return await tx.maybeOne(withPassword, { tokenHash, passwordHash });
  } catch (error) {
    if (!isConstraintViolation(error, 'accounts_email_unique')) throw error;
    return null;
  }
}

const byAccount = tenantSql<Joined, { tokenHash: string; accountId: number }>(
  'invitations_accept_by_account',
  `with ${USED}, joined as (
     insert into memberships (tenant_id, account_id, role, invited_by)
     select $tenantId, a.id, used.role, used.invited_by from used join accounts a on a.email_folded = used.email_folded
     where a.id = $accountId
     on conflict (account_id, tenant_id) do nothing
     returning id, account_id, true as is_new
   ), member as (
     select id, account_id, is_new from joined
     union all
     select m.id, m.account_id, false from memberships m
     where m.tenant_id = $tenantId and m.account_id = $accountId and exists (select from used) and not exists (select from joined)
   )
   select member.id, member.account_id, member.is_new, a.credentials_version
   from member join accounts a on a.id = member.account_id`,
);

/**
 * Makes the account of the invited address a member, once; null where somebody was faster, or the account is gone with its
 * last membership by now.
 */
export async function acceptByAccount(
  tx: TenantTransaction,
  tokenHash: string,
  accountId: number,
): Promise<Joined | null> {
  try {
    return await tx.maybeOne(byAccount, { tokenHash, accountId });
  } catch (error) {
    if (!isConstraintViolation(error, ACCOUNT_IS_GONE)) throw error;
    return null;
  }
}
