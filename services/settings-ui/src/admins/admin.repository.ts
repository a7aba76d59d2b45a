import {
  isConstraintViolation,
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { invalid } from '@frontdesk/service';
import { adminEntity } from './admin.entity.ts';
import { type AdminCredentials, type AdminRow, foldEmail } from './admin.rules.ts';

const findByEmail = systemSql<AdminCredentials, { folded: string }>(
  'admins_find_by_email',
  `select tenant_id, id, email, email_folded, password_hash, credentials_version, last_sign_in_at, created_at
   from admin_users where email_folded = $folded`,
);

/** Before a sign-in the tenant is not known: the address says whose admin it is. */
export const findCredentials = (system: SystemScope, email: string) =>
  system.maybeOne(findByEmail, { folded: foldEmail(email) });

export const findAdmin = (db: TenantReads, id: number): Promise<AdminRow | null> =>
  db.repository(adminEntity).findOne({ id });

export const findAdminByEmail = (db: TenantReads, email: string): Promise<AdminRow | null> =>
  db.repository(adminEntity).findOne({ email_folded: foldEmail(email) });

export const listAdmins = (db: TenantReads): Promise<AdminRow[]> =>
  db.repository(adminEntity).find({ order: { id: 'ASC' } });

/** @throws AppError 422 on `email` when somebody has it, in whichever tenant. */
export async function insertAdmin(
  tx: TenantTransaction,
  email: string,
  password_hash: string,
): Promise<AdminRow> {
  try {
    return await tx.repository(adminEntity).insert({
      email: email.trim(),
      email_folded: foldEmail(email),
      password_hash,
    });
  } catch (error) {
    if (!isConstraintViolation(error, 'admin_users_email_unique')) throw error;
    throw invalid({ email: ['The email has already been taken.'] });
  }
}

export const noteSignIn = (db: TenantReads, id: number) =>
  db.repository(adminEntity).update({ id }, { last_sign_in_at: new Date() });

const readPassword = tenantSql<
  Pick<AdminCredentials, 'password_hash' | 'credentials_version'>,
  { id: number }
>(
  'admins_password',
  'select password_hash, credentials_version from admin_users where tenant_id = $tenantId and id = $id',
);

/** Null where the admin is gone. */
export const findPassword = (db: TenantReads, id: number) => db.maybeOne(readPassword, { id });

const setPassword = tenantSql<AdminRow, { id: number; hash: string; instead: number | null }>(
  'admins_set_password',
  `update admin_users set password_hash = $hash, credentials_version = credentials_version + 1,
     reset_token_hash = null, reset_expires_at = null
   where tenant_id = $tenantId and id = $id and ($instead::int is null or credentials_version = $instead)
   returning tenant_id, id, email, email_folded, credentials_version, last_sign_in_at, created_at`,
);

/**
 * Voids all sessions from before, and the link for a new password. Null where the admin is gone, or the password isn't that of the
 * version `instead` any more.
 */
export const setAdminPassword = (db: TenantReads, id: number, hash: string, instead: number | null = null) =>
  db.maybeOne(setPassword, { id, hash, instead });

const lockAll = tenantSql<{ id: number }>(
  'admins_lock',
  'select id from admin_users where tenant_id = $tenantId order by id for update',
);

/** The ids of a tenant's admins, of whom none goes before the transaction ends. */
export async function lockAdmins(tx: TenantTransaction): Promise<number[]> {
  return (await tx.many(lockAll)).map(({ id }) => id);
}

/** With all their sessions and invitations. False where they are gone already. */
export const deleteAdmin = async (db: TenantReads, id: number) =>
  (await db.repository(adminEntity).delete({ id })) === 1;
