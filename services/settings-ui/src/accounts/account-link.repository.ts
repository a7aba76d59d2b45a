import {
  type SystemScope,
  type SystemTransaction,
  systemSql,
  type TenantReads,
  tenantSql,
} from '@frontdesk/database';
import { type AccountRow, foldEmail } from './account.rules.ts';

// Earlier links stay good: nobody who asks for another one takes away the one that is in the owner's mail.
const insertReset = tenantSql<{ expires_at: Date }, { folded: string; tokenHash: string; minutes: number }>(
  'account_links_insert_reset',
  `insert into account_links (token_hash, account_id, purpose, expires_at)
   select $tokenHash, a.id, 'reset', now() + make_interval(mins => $minutes)
   from memberships m join accounts a on a.id = m.account_id
   where m.tenant_id = $tenantId and a.email_folded = $folded returning expires_at`,
);

/** Null where the tenant has no such member. */
export const insertResetLink = (
  db: TenantReads,
  { email, tokenHash, minutes }: { email: string; tokenHash: string; minutes: number },
) => db.maybeOne(insertReset, { folded: foldEmail(email), tokenHash, minutes });

const find = systemSql<Pick<AccountRow, 'id' | 'email'>, { tokenHash: string }>(
  'account_links_find_reset',
  `select a.id, a.email from account_links l join accounts a on a.id = l.account_id
   where l.token_hash = $tokenHash and l.purpose = 'reset' and l.expires_at > now()`,
);

/** Whose link it is; null where it is unknown, used or too old. */
export const findResetLink = (system: SystemScope, tokenHash: string) => system.maybeOne(find, { tokenHash });

const use = systemSql<AccountRow, { tokenHash: string; passwordHash: string }>(
  'account_links_use_reset',
  `with used as (
     delete from account_links where token_hash = $tokenHash and purpose = 'reset' and expires_at > now() returning account_id
   )
   update accounts a set password_hash = $passwordHash, credentials_version = a.credentials_version + 1
   from used where a.id = used.account_id
   returning a.id, a.email, a.email_folded, a.credentials_version, a.sessions_version, a.businesses, a.last_sign_in_at, a.created_at`,
);
const voidLinks = systemSql<never, { accountId: number }>(
  'account_links_void',
  'delete from account_links where account_id = $accountId',
);

/**
 * Sets the password by a link, once, which voids all sessions from before and all other links.
 * @returns whose it is; null where somebody was faster
 */
export async function useResetLink(tx: SystemTransaction, tokenHash: string, passwordHash: string) {
  const account = await tx.maybeOne(use, { tokenHash, passwordHash });
  if (account) await tx.run(voidLinks, { accountId: account.id });
  return account;
}
