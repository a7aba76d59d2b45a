import { type SystemScope, systemSql, type TenantReads, tenantSql } from '@frontdesk/database';
import { foldEmail } from './admin.rules.ts';

const save = tenantSql<{ expires_at: Date }, { folded: string; tokenHash: string; minutes: number }>(
  'reset_links_save',
  `update admin_users set reset_token_hash = $tokenHash, reset_expires_at = now() + make_interval(mins => $minutes)
   where tenant_id = $tenantId and email_folded = $folded returning reset_expires_at as expires_at`,
);

/** One link at a time: a new one voids the one before. Null where the tenant has no such admin. */
export const saveResetLink = (
  db: TenantReads,
  { email, tokenHash, minutes }: { email: string; tokenHash: string; minutes: number },
) => db.maybeOne(save, { folded: foldEmail(email), tokenHash, minutes });

const use = systemSql<
  { tenant_id: number; id: number; credentials_version: number },
  { tokenHash: string; passwordHash: string }
>(
  'reset_links_use',
  `update admin_users set password_hash = $passwordHash, credentials_version = credentials_version + 1,
     reset_token_hash = null, reset_expires_at = null
   where reset_token_hash = $tokenHash and reset_expires_at > now() returning tenant_id, id, credentials_version`,
);

/**
 * Sets the password by a link, once.
 * @returns whose it is; null where somebody was faster. All sessions from before are void.
 */
export const useResetLink = (system: SystemScope, tokenHash: string, passwordHash: string) =>
  system.maybeOne(use, { tokenHash, passwordHash });

const find = systemSql<{ tenant_id: number; email: string }, { tokenHash: string }>(
  'reset_links_find',
  'select tenant_id, email from admin_users where reset_token_hash = $tokenHash and reset_expires_at > now()',
);

/** Whose link it is; null where it is unknown, used or too old. */
export const findResetLink = (system: SystemScope, tokenHash: string) => system.maybeOne(find, { tokenHash });
