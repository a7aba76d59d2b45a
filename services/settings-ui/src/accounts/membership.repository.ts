import type { MemberRole } from '@frontdesk/contracts';
import {
  isConstraintViolation,
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { invalid } from '@frontdesk/service';
import { foldEmail, type Member, type MembershipRow } from './account.rules.ts';
import { membershipEntity } from './membership.entity.ts';

const COLUMNS = `m.tenant_id, m.id, m.account_id, m.role, m.invited_by, m.last_sign_in_at, m.created_at,
     a.email, a.email_folded, a.credentials_version, a.sessions_version, a.sessions_ended_at, a.businesses`;
const SELECT = `select ${COLUMNS} from memberships m join accounts a on a.id = m.account_id`;

const find = tenantSql<Member, { id: number }>(
  'members_find',
  `${SELECT} where m.tenant_id = $tenantId and m.id = $id`,
);

export const findMember = (db: TenantReads, id: number) => db.maybeOne(find, { id });

const findByEmail = tenantSql<Member, { folded: string }>(
  'members_find_by_email',
  `${SELECT} where m.tenant_id = $tenantId and a.email_folded = $folded`,
);

export const findMemberByEmail = (db: TenantReads, email: string) =>
  db.maybeOne(findByEmail, { folded: foldEmail(email) });

const findByAccount = tenantSql<Member, { accountId: number }>(
  'members_find_by_account',
  `${SELECT} where m.tenant_id = $tenantId and m.account_id = $accountId`,
);

export const findMemberByAccount = (db: TenantReads, accountId: number) =>
  db.maybeOne(findByAccount, { accountId });

const listAll = tenantSql<Member>('members_list', `${SELECT} where m.tenant_id = $tenantId order by m.id`);

export const listMembers = (db: TenantReads) => db.many(listAll);

const ofAccount = systemSql<MembershipRow, { accountId: number }>(
  'memberships_of_account',
  `select tenant_id, id, account_id, role, invited_by, last_sign_in_at, created_at
   from memberships where account_id = $accountId order by last_sign_in_at desc nulls last, id`,
);

/** In all businesses of the account, the latest signed in to first. */
export const listMemberships = (system: SystemScope, accountId: number) =>
  system.many(ofAccount, { accountId });

const insert = tenantSql<Member, { email: string; folded: string; hash: string; role: MemberRole }>(
  'members_insert',
  `with account as (
     insert into accounts (email, email_folded, password_hash) values ($email, $folded, $hash) returning *
   ), membership as (
     insert into memberships (tenant_id, account_id, role) select $tenantId, id, $role from account returning *
   )
   select ${COLUMNS} from membership m cross join account a`,
);

/** Makes a member with a new account. @throws AppError 422 on `email` where an account has it, in whichever business */
export async function insertMember(
  tx: TenantTransaction,
  { email, hash, role }: { email: string; hash: string; role: MemberRole },
): Promise<Member> {
  try {
    return await tx.one(insert, { email: email.trim(), folded: foldEmail(email), hash, role });
  } catch (error) {
    if (!isConstraintViolation(error, 'accounts_email_unique')) throw error;
    throw invalid({ email: ['The email has already been taken.'] });
  }
}

const join = tenantSql<Member, { folded: string; role: MemberRole }>(
  'members_join',
  `with account as (select * from accounts where email_folded = $folded), membership as (
     insert into memberships (tenant_id, account_id, role) select $tenantId, id, $role from account
     on conflict (account_id, tenant_id) do nothing returning *
   )
   select ${COLUMNS} from membership m cross join account a`,
);

/** Violated where the account is gone with its last membership by now. */
export const ACCOUNT_IS_GONE = 'memberships_account_id_fkey';

/** Makes a member of an account. @throws AppError 422 on `email` where it is one already, or the account is gone by now */
export async function joinAccount(
  tx: TenantTransaction,
  { email, role }: { email: string; role: MemberRole },
): Promise<Member> {
  const member = await tx.maybeOne(join, { folded: foldEmail(email), role }).catch((error: unknown) => {
    if (!isConstraintViolation(error, ACCOUNT_IS_GONE)) throw error;
    throw invalid({ email: ['This account is gone by now: add it anew, with a password.'] });
  });
  if (!member) throw invalid({ email: ['The email has already been taken.'] });
  return member;
}

const ownersLeft = tenantSql<{ id: number }>(
  'memberships_owners',
  `select id from memberships where tenant_id = $tenantId and role = 'owner' order by id`,
);

/** The ids of the business's owners; `lockMembers` first, where it matters that one stays. */
export const listOwners = async (db: TenantReads) => (await db.many(ownersLeft)).map(({ id }) => id);

const heldRole = tenantSql<{ role: MemberRole }, { id: number }>(
  'membership_role_held',
  'select role from memberships where tenant_id = $tenantId and id = $id for share',
);

/** The role of a member, which keeps it until the transaction ends; null where they are no member any more. */
export const holdRole = async (tx: TenantTransaction, id: number): Promise<MemberRole | null> =>
  (await tx.maybeOne(heldRole, { id }))?.role ?? null;

export const setRole = (db: TenantReads, id: number, role: MemberRole) =>
  db.repository(membershipEntity).update({ id }, { role });

export const noteSignIn = (db: TenantReads, id: number) =>
  db.repository(membershipEntity).update({ id }, { last_sign_in_at: new Date() });

const lockAll = tenantSql<{ id: number }>(
  'memberships_lock',
  'select id from memberships where tenant_id = $tenantId order by id for update',
);

/** The ids of a tenant's members. None of them can be removed before the transaction ends. */
export async function lockMembers(tx: TenantTransaction): Promise<number[]> {
  return (await tx.many(lockAll)).map(({ id }) => id);
}

/**
 * Deletes a membership with the invitations that it made, and ends its sessions. The database deletes an account with its last
 * membership. False where it is gone already.
 */
export const deleteMember = async (db: TenantReads, id: number) =>
  (await db.repository(membershipEntity).delete({ id })) === 1;
