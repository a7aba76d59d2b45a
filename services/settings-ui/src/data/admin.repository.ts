import {
  isConstraintViolation,
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { invalid } from '@frontdesk/service';
import { type AdminCredentials, type AdminRow, foldEmail } from '../domain/sign-in/admin.ts';
import { adminEntity } from './admin.entity.ts';

const findByEmail = systemSql<AdminCredentials, [folded: string]>(
  'admins_find_by_email',
  `select tenant_id, id, email, email_folded, password_hash, credentials_version, last_sign_in_at, created_at
   from admin_users where email_folded = $1`,
);

/** Before a sign-in the tenant is not known: the address says whose admin it is. */
export const findCredentials = (system: SystemScope, email: string) =>
  system.maybeOne(findByEmail, foldEmail(email));

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

const readHash = tenantSql<Pick<AdminCredentials, 'password_hash'>, [id: number]>(
  'admins_password_hash',
  'select password_hash from admin_users where tenant_id = $1 and id = $2',
);

/** Null where the admin is gone. */
export const findPasswordHash = async (db: TenantReads, id: number) =>
  (await db.maybeOne(readHash, id))?.password_hash ?? null;

const setPassword = tenantSql<AdminRow, [id: number, hash: string]>(
  'admins_set_password',
  `update admin_users set password_hash = $3, credentials_version = credentials_version + 1,
     reset_token_hash = null, reset_expires_at = null
   where tenant_id = $1 and id = $2
   returning tenant_id, id, email, email_folded, credentials_version, last_sign_in_at, created_at`,
);

/** Voids all sessions from before, and the link for a new password. Null where the admin is gone. */
export const setAdminPassword = (db: TenantReads, id: number, hash: string) =>
  db.maybeOne(setPassword, id, hash);

const lockAll = tenantSql<{ id: number }>(
  'admins_lock',
  'select id from admin_users where tenant_id = $1 order by id for update',
);

/** The ids of a tenant's admins, of whom none goes before the transaction ends. */
export async function lockAdmins(tx: TenantTransaction): Promise<number[]> {
  return (await tx.many(lockAll)).map(({ id }) => id);
}

/** With all their sessions and invitations. False where they are gone already. */
export const deleteAdmin = async (db: TenantReads, id: number) =>
  (await db.repository(adminEntity).delete({ id })) === 1;
