import {
  type Database,
  isConstraintViolation,
  systemSql,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { invalid } from '@frontdesk/service';
import { type AdminRow, foldEmail } from '../domain/admin.ts';

const COLUMNS = `tenant_id, id, email, password_hash, credentials_version, last_sign_in_at, created_at`;

const findByEmail = systemSql<AdminRow, [folded: string]>(
  'admins_find_by_email',
  `select ${COLUMNS} from admin_users where email_folded = $1`,
);

/** Before a sign-in the tenant is not known: the address says whose admin it is. */
export const findAdminByEmail = (database: Database, email: string) =>
  database.system.maybeOne(findByEmail, foldEmail(email));

const findById = tenantSql<AdminRow, [id: number]>(
  'admins_find',
  `select ${COLUMNS} from admin_users where tenant_id = $1 and id = $2`,
);

export const findAdmin = (database: Database, tenantId: number, id: number) =>
  database.forTenant(tenantId).maybeOne(findById, id);

const listAll = tenantSql<AdminRow>(
  'admins_list',
  `select ${COLUMNS} from admin_users where tenant_id = $1 order by id`,
);

export const listAdmins = (database: Database, tenantId: number) =>
  database.forTenant(tenantId).many(listAll);

const insert = tenantSql<AdminRow, [email: string, folded: string, hash: string]>(
  'admins_insert',
  `insert into admin_users (tenant_id, email, email_folded, password_hash) values ($1, $2, $3, $4)
   returning ${COLUMNS}`,
);

/** @throws AppError 422 on `email` when somebody has it, in whichever tenant. */
export async function addAdmin(tx: TenantTransaction, email: string, hash: string) {
  try {
    return await tx.one(insert, email.trim(), foldEmail(email), hash);
  } catch (error) {
    if (!isConstraintViolation(error, 'admin_users_email_unique')) throw error;
    throw invalid({ email: ['The email has already been taken.'] });
  }
}

const noteSignIn = tenantSql<never, [id: number]>(
  'admins_note_sign_in',
  'update admin_users set last_sign_in_at = now() where tenant_id = $1 and id = $2',
);

export const noteAdminSignIn = (database: Database, { tenant_id, id }: AdminRow) =>
  database.forTenant(tenant_id).run(noteSignIn, id);

const setPassword = tenantSql<AdminRow, [id: number, hash: string]>(
  'admins_set_password',
  `update admin_users set password_hash = $3, credentials_version = credentials_version + 1,
     reset_token_hash = null, reset_expires_at = null
   where tenant_id = $1 and id = $2 returning ${COLUMNS}`,
);

/** Voids all sessions from before, and the link for a new password. Null where the admin is gone. */
export const setAdminPassword = (database: Database, { tenant_id, id }: AdminRow, hash: string) =>
  database.forTenant(tenant_id).maybeOne(setPassword, id, hash);

const lockAll = tenantSql<{ id: number }>(
  'admins_lock',
  'select id from admin_users where tenant_id = $1 order by id for update',
);

/** The ids of a tenant's admins, of whom none goes before the transaction ends. */
export async function lockAdmins(tx: TenantTransaction): Promise<number[]> {
  return (await tx.many(lockAll)).map(({ id }) => id);
}

const remove = tenantSql<never, [id: number]>(
  'admins_remove',
  'delete from admin_users where tenant_id = $1 and id = $2',
);

/** With all their sessions and invitations. */
export const removeAdminRow = (tx: TenantTransaction, id: number) => tx.run(remove, id);
