import {
  isConstraintViolation,
  type SystemScope,
  type SystemTransaction,
  systemSql,
} from '@frontdesk/database';
import { invalid } from '@frontdesk/service';
import { ACCOUNT_COLUMNS } from './account.repository.ts';
import { type AccountRow, foldEmail } from './account.rules.ts';

interface NewLink {
  tokenHash: string;
  accountId: number;
  purpose: 'reset' | 'address';
  /** Of an 'address' link: the new address, and the versions that the account had when it was asked for. */
  email: string | null;
  credentialsVersion: number | null;
  sessionsVersion: number | null;
  minutes: number;
}

// Earlier links stay good: a stranger who asks for another one doesn't void the owner's.
const insert = systemSql<{ expires_at: Date }, NewLink>(
  'account_links_insert',
  `insert into account_links (token_hash, account_id, purpose, email, credentials_version, sessions_version, expires_at)
   values ($tokenHash, $accountId, $purpose, $email, $credentialsVersion, $sessionsVersion, now() + make_interval(mins => $minutes))
   returning expires_at`,
);

export const insertAccountLink = (system: Pick<SystemScope, 'one'>, link: NewLink) =>
  system.one(insert, link);

/** The account that a link belongs to. */
interface LinkedAccount extends Pick<AccountRow, 'id' | 'email'> {
  new_email: string | null;
}

/** A new password and a sign-out everywhere void a link, also while it is being used. */
const isStillValid = (link: string) =>
  `(${link}.credentials_version, ${link}.sessions_version) = (a.credentials_version, a.sessions_version)`;

const find = systemSql<LinkedAccount, { tokenHash: string; purpose: string }>(
  'account_links_find',
  `select a.id, a.email, l.email as new_email from account_links l join accounts a on a.id = l.account_id
   where l.token_hash = $tokenHash and l.purpose = $purpose and l.expires_at > now()
     and (l.purpose = 'reset' or ${isStillValid('l')})`,
);

/** Null where the link is unknown, used or expired. */
export const findAccountLink = (system: SystemScope, tokenHash: string, purpose: NewLink['purpose']) =>
  system.maybeOne(find, { tokenHash, purpose });

const used = (purpose: NewLink['purpose']) =>
  `with used as (
     delete from account_links where token_hash = $tokenHash and purpose = '${purpose}' and expires_at > now()
     returning account_id, email, credentials_version, sessions_version
   )`;

const useReset = systemSql<AccountRow, { tokenHash: string; passwordHash: string }>(
  'account_links_use_reset',
  `${used('reset')}
   update accounts a set password_hash = $passwordHash, credentials_version = a.credentials_version + 1
   from used where a.id = used.account_id returning ${ACCOUNT_COLUMNS}`,
);
const useAddress = systemSql<AccountRow, { tokenHash: string; email: string; folded: string }>(
  'account_links_use_address',
  `${used('address')}
   update accounts a set email = $email, email_folded = $folded
   from used where a.id = used.account_id and used.email = $email and ${isStillValid('used')} returning ${ACCOUNT_COLUMNS}`,
);
const voidAll = systemSql<never, { accountId: number }>(
  'account_links_void',
  'delete from account_links where account_id = $accountId',
);

/**
 * Sets the password by a link, once, which voids all earlier sessions and all other links.
 * @returns the account; null where somebody was faster
 */
export async function useResetLink(tx: SystemTransaction, tokenHash: string, passwordHash: string) {
  const account = await tx.maybeOne(useReset, { tokenHash, passwordHash });
  if (account) await tx.run(voidAll, { accountId: account.id });
  return account;
}

/**
 * Gives the account the address that its link went to, once, which voids all other links.
 * @returns the account; null where somebody was faster
 * @throws AppError 422 on `token` where another account has the address by now
 */
export async function useAddressLink(tx: SystemTransaction, tokenHash: string, email: string) {
  try {
    const account = await tx.maybeOne(useAddress, { tokenHash, email, folded: foldEmail(email) });
    if (account) await tx.run(voidAll, { accountId: account.id });
    return account;
  } catch (error) {
    if (!isConstraintViolation(error, 'accounts_email_unique')) throw error;
    throw invalid({ token: ['Another account has this address by now. Nothing was changed.'] });
  }
}
