import { type AdminUser, quotasOf, type RemovedRecord } from '@frontdesk/contracts';
import type { TenantScope } from '@frontdesk/database';
import { notFound, requireQuota } from '@frontdesk/service';
import { setMemberPassword } from '../accounts/account.repository.ts';
import { adminRecord } from '../accounts/account.rules.ts';
import { countOtherAdminsLocked } from '../accounts/member-count.repository.ts';
import {
  deleteMember,
  findMember,
  findMemberByEmail,
  insertMember,
} from '../accounts/membership.repository.ts';
import type { Actor } from '../audit/audit.rules.ts';
import { audited } from '../audit/audited.ts';
import type { GatewayClient } from '../clients/gateway.client.ts';
import { judgePassword } from '../passwords/judge-password.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { requireStrongPassword } from '../passwords/password-policy.rules.ts';

interface AdminDeps {
  gateway: Pick<GatewayClient, 'tenant'>;
  passwords: PasswordHasher;
}

// These open their transactions themselves: entries of the audit log are committed before and after.

/** @throws AppError 404 for a tenant that the gateway doesn't know, 422 on `email` when it is taken and on a
 * `password` that is easy to guess, `quota_exceeded`. */
export async function createAdmin(
  scope: TenantScope,
  { gateway, passwords }: AdminDeps,
  { email, password, by }: { email: string; password: string; by: Actor },
): Promise<AdminUser> {
  const tenant = await gateway.tenant(scope.tenantId);
  await requireStrongPassword('password', password, { email, business: tenant.name }, (judged, names) =>
    passwords.estimate(judged, names, scope.tenantId),
  );
  const { admins: allowed } = quotasOf(tenant);
  return audited(scope, by, { action: 'admin_created', subject: email }, async () => {
    const hash = await passwords.hash(password, scope.tenantId);
    const added = await scope.transaction(async (tx) => {
      requireQuota('admins', { used: await countOtherAdminsLocked(tx, email), allowed });
      return insertMember(tx, email, hash);
    });
    return adminRecord(added);
  });
}

/** Sets an admin's password, which ends their sessions. @throws AppError 404 where the tenant has no such admin. */
export function setPassword(
  scope: TenantScope,
  { gateway, passwords }: AdminDeps,
  { email, password, by }: { email: string; password: string; by: Actor },
): Promise<AdminUser> {
  const { tenantId } = scope;
  return audited(scope, by, { action: 'password_changed', subject: email }, async () => {
    const admin = await findMemberByEmail(scope, email);
    if (!admin) throw notFound('Admin');
    await judgePassword({ gateway, passwords }, { field: 'password', password, tenantId, email });
    const changed = await setMemberPassword(scope, admin.id, await passwords.hash(password, tenantId));
    if (!changed) throw notFound('Admin');
    return adminRecord(admin);
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
