import { type AdminUser, quotasOf, type RemovedRecord } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { notFound, requireQuota } from '@frontdesk/service';
import type { GatewayClient } from '../clients/gateway.client.ts';
import { countOtherAdmins } from '../data/admin-count.repository.ts';
import {
  addAdmin,
  findAdmin,
  findAdminByEmail,
  removeAdminRow,
  setAdminPassword,
} from '../data/admin-user.repository.ts';
import { adminRecord } from '../domain/admin.ts';
import { operatorOf } from '../domain/audit.ts';
import { requireStrongPassword } from '../domain/password-policy.ts';
import type { PasswordHasher } from '../state/password-hasher.ts';
import { audited } from './audited.ts';
import { judgePassword } from './judge-password.ts';

interface AdminDeps {
  database: Database;
  gateway: Pick<GatewayClient, 'tenant'>;
  passwords: PasswordHasher;
}

/** @throws AppError 404 for a tenant that the gateway doesn't know, 422 on `email` when it is taken and on a
 * `password` that is easy to guess, `quota_exceeded`. */
export async function createAdmin(
  deps: AdminDeps,
  { tenantId, email, password }: { tenantId: number; email: string; password: string },
): Promise<AdminUser> {
  const { database, gateway, passwords } = deps;
  const tenant = await gateway.tenant(tenantId);
  requireStrongPassword('password', password, { email, business: tenant.name });
  const { admins: allowed } = quotasOf(tenant);
  const change = { action: 'admin_created', subject: email } as const;
  return audited(database, operatorOf(tenantId), change, async () => {
    const hash = await passwords.hash(password, tenantId);
    const added = await database.forTenant(tenantId).transaction(async (tx) => {
      requireQuota('admins', { used: await countOtherAdmins(tx, email), allowed });
      return addAdmin(tx, email, hash);
    });
    return adminRecord(added);
  });
}

/** Sets an admin's password, which ends their sessions. @throws AppError 404 where the tenant has no such admin. */
export async function setPassword(
  { database, gateway, passwords }: AdminDeps,
  { tenantId, email, password }: { tenantId: number; email: string; password: string },
): Promise<AdminUser> {
  const change = { action: 'password_changed', subject: email } as const;
  return audited(database, operatorOf(tenantId), change, async () => {
    const admin = await findAdminByEmail(database, email);
    if (admin?.tenant_id !== tenantId) throw notFound('Admin');
    await judgePassword(gateway, { field: 'password', password, tenantId, email });
    const changed = await setAdminPassword(database, admin, await passwords.hash(password, tenantId));
    if (!changed) throw notFound('Admin');
    return adminRecord(changed);
  });
}

/**
 * Takes an admin's access away, also the last one's, which frees the address; their sessions are over with that.
 * @throws AppError 404 where the tenant has no such admin
 */
export async function removeAsOperator(
  { database }: { database: Database },
  { tenantId, id }: { tenantId: number; id: number },
): Promise<RemovedRecord> {
  const admin = await findAdmin(database, tenantId, id);
  if (!admin) throw notFound('Admin');
  const change = { action: 'admin_removed', subject: admin.email } as const;
  return audited(database, operatorOf(tenantId), change, async () => {
    const removed = await database.forTenant(tenantId).transaction((tx) => removeAdminRow(tx, id));
    if (removed === 0) throw notFound('Admin');
    return { id, deleted: true };
  });
}
