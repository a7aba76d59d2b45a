import { type AdminUser, type MemberRole, quotasOf, type RemovedRecord } from '@frontdesk/contracts';
import type { Database, TenantScope } from '@frontdesk/database';
import { invalid, notFound, requireQuota } from '@frontdesk/service';
import { findCredentials, setAccountPassword } from '../accounts/account.repository.ts';
import { adminRecord } from '../accounts/account.rules.ts';
import { countOtherAdminsLocked } from '../accounts/member-count.repository.ts';
import {
  deleteMember,
  findMember,
  findMemberByEmail,
  insertMember,
  joinAccount,
} from '../accounts/membership.repository.ts';
import type { Actor } from '../audit/audit.rules.ts';
import { audited, auditedForMember } from '../audit/audited.ts';
import type { GatewayClient } from '../clients/gateway.client.ts';
import { queueAccountEmail } from '../mail/email.repository.ts';
import { emailMembers } from '../mail/email-members.ts';
import type { MailLimits } from '../mail/mail-limits.ts';
import { judgePassword } from '../passwords/judge-password.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { requireStrongPassword } from '../passwords/password-policy.rules.ts';
import { newResetLink } from '../sign-in/reset-password.ts';
import { giveRole } from './give-role.ts';

interface AdminDeps {
  database: Database;
  gateway: Pick<GatewayClient, 'tenant'>;
  passwords: PasswordHasher;
}

// These open their transactions themselves: entries of the audit log are committed before and after.

/**
 * Adds a member with an account of their own, or, without a password, who has an account already.
 * @throws AppError 404 for a tenant that the gateway doesn't know; 422 on `email` where it is a member's, on `password` where an account has one
 *   already, a new one needs one, or it is easy to guess; `quota_exceeded`
 */
export async function createAdmin(
  { database, gateway, passwords }: AdminDeps,
  tenantId: number,
  {
    email,
    password,
    role,
    by,
  }: { email: string; password?: string | undefined; role: MemberRole; by: Actor },
): Promise<AdminUser> {
  const scope = database.forTenant(tenantId);
  const tenant = await gateway.tenant(scope);
  const account = await findCredentials(database.system, email);
  if (account && password !== undefined)
    throw invalid({ password: ['This address has an account with a password: leave the password out.'] });
  if (!account && password === undefined) throw invalid({ password: ['The password field is required.'] });
  if (password !== undefined)
    await requireStrongPassword('password', password, { email, business: tenant.name }, (judged, names) =>
      passwords.estimate(judged, names, tenantId),
    );
  const { admins: allowed } = quotasOf(tenant);
  return audited(scope, by, { action: 'admin_created', subject: email }, async () => {
    const hash = password === undefined ? null : await passwords.hash(password, tenantId);
    const added = await scope.transaction(async (tx) => {
      requireQuota('admins', { used: await countOtherAdminsLocked(tx, email), allowed });
      const member = await (hash === null
        ? joinAccount(tx, { email, role })
        : insertMember(tx, { email, hash, role }));
      const details = { email, invited_by: by.name, role };
      await emailMembers(tx, { kind: 'new_member', details, except: member.id });
      return member;
    });
    return adminRecord(added);
  });
}

/** Sets an admin's password, which ends their sessions, in all their businesses. @throws AppError 404 where the tenant has no such admin. */
export async function setPassword(
  { database, gateway, passwords, mailLimits }: AdminDeps & { mailLimits: MailLimits },
  tenantId: number,
  { email, password, by }: { email: string; password: string; by: Actor },
): Promise<AdminUser> {
  const admin = await findMemberByEmail(database.forTenant(tenantId), email);
  const change = { action: 'password_changed', subject: email } as const;
  return auditedForMember(database, { tenantId, member: admin, by }, change, async () => {
    if (!admin) throw notFound('Admin');
    await judgePassword({ gateway, passwords }, { field: 'password', password, tenantId, email });
    const hash = await passwords.hash(password, tenantId);
    await database.system.transaction(async (tx) => {
      const changed = await setAccountPassword(tx, admin.account_id, hash);
      if (!changed) throw notFound('Admin');
      await queueAccountEmail(tx, {
        kind: 'password_changed',
        recipients: [changed.email],
        details: { by: 'operator' },
        tenantId,
      });
    });
    await mailLimits.forgetResets(admin.email);
    return adminRecord(admin);
  });
}

/**
 * A link by which an admin sets a new password, within the hour.
 * @throws AppError 404 where the tenant has no such admin.
 */
export async function makeResetLink(
  { database, settingsUrl }: Pick<AdminDeps, 'database'> & { settingsUrl: string },
  tenantId: number,
  { email, by }: { email: string; by: Actor },
): Promise<{ url: string; expires_at: string }> {
  const member = await findMemberByEmail(database.forTenant(tenantId), email);
  const change = { action: 'reset_link_made', subject: email } as const;
  return auditedForMember(database, { tenantId, member, by }, change, async () => {
    if (!member) throw notFound('Admin');
    return newResetLink(database.system, { accountId: member.account_id, settingsUrl });
  });
}

/**
 * Takes an admin's access away, also the last one's, which frees the address; their sessions are over with that.
 * @throws AppError 404 where the tenant has no such admin
 */
export async function removeAsOperator(
  scope: TenantScope,
  { id, by }: { id: number; by: Actor },
): Promise<RemovedRecord> {
  const admin = await findMember(scope, id);
  if (!admin) throw notFound('Admin');
  return audited(scope, by, { action: 'admin_removed', subject: admin.email }, async () => {
    // Invitations go with the row: a deadlock about them is tried again.
    if (!(await scope.transaction((tx) => deleteMember(tx, id)))) throw notFound('Admin');
    return { id, deleted: true };
  });
}

/**
 * Gives an admin another role, also the last owner one.
 * @throws AppError 404 where the tenant has no such admin
 */
export async function setRoleAsOperator(
  scope: TenantScope,
  { id, role, by }: { id: number; role: MemberRole; by: Actor },
): Promise<AdminUser> {
  const admin = await findMember(scope, id);
  if (!admin) throw notFound('Admin');
  return audited(scope, by, { action: 'role_changed', subject: `${admin.email}, ${role}` }, async () => {
    const changed = await scope.transaction((tx) => giveRole(tx, id, role));
    if (!changed) throw notFound('Admin');
    return adminRecord(changed);
  });
}
