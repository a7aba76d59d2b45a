import { type SystemScope, type SystemTransaction, systemSql } from '@frontdesk/database';
import { type AccountRow, type Credentials, foldEmail } from './account.rules.ts';

/** Of `accounts a`, without the password's hash. */
export const ACCOUNT_COLUMNS =
  'a.id, a.email, a.email_folded, a.credentials_version, a.sessions_version, a.sessions_ended_at, a.businesses, a.last_sign_in_at, a.created_at';

const findByEmail = systemSql<Credentials, { folded: string }>(
  'accounts_find_by_email',
  `select ${ACCOUNT_COLUMNS}, a.password_hash from accounts a where a.email_folded = $folded`,
);

/** Across tenants: before a sign-in no business is known. */
export const findCredentials = (system: SystemScope, email: string) =>
  system.maybeOne(findByEmail, { folded: foldEmail(email) });

const find = systemSql<AccountRow, { id: number }>(
  'accounts_find',
  `select ${ACCOUNT_COLUMNS} from accounts a where a.id = $id`,
);

export const findAccount = (system: SystemScope, id: number) => system.maybeOne(find, { id });

const signedIn = systemSql<never, { id: number }>(
  'accounts_signed_in',
  'update accounts set last_sign_in_at = now() where id = $id',
);

export const noteAccountSignIn = (system: SystemScope, id: number) => system.run(signedIn, { id });

const endOthers = systemSql<AccountRow, { id: number; instead: number }>(
  'accounts_end_sessions',
  `update accounts a set sessions_version = a.sessions_version + 1, sessions_ended_at = now()
   where a.id = $id and a.sessions_version = $instead returning ${ACCOUNT_COLUMNS}`,
);

/** Voids all sessions, and all pending sign-ins. Null where another session has done so since version `instead`. */
export const endAllSessions = (system: Pick<SystemScope, 'maybeOne'>, id: number, instead: number) =>
  system.maybeOne(endOthers, { id, instead });

const readPassword = systemSql<Pick<Credentials, 'password_hash' | 'credentials_version'>, { id: number }>(
  'accounts_password',
  'select password_hash, credentials_version from accounts where id = $id',
);

/** Null where the account is gone. */
export const findPassword = (system: SystemScope, id: number) => system.maybeOne(readPassword, { id });

// Links that were made for the earlier password are void.
const setPassword = systemSql<AccountRow, { id: number; hash: string; instead: number | null }>(
  'accounts_set_password',
  `with changed as (
     update accounts a set password_hash = $hash, credentials_version = a.credentials_version + 1
     where a.id = $id and ($instead::int is null or a.credentials_version = $instead)
     returning ${ACCOUNT_COLUMNS}
   ), voided as (delete from account_links l using changed where l.account_id = changed.id)
   select * from changed`,
);

/**
 * Voids all earlier sessions, and all links. Null where the account is gone, or its password has changed since the
 * version `instead`.
 */
export const setAccountPassword = (
  system: Pick<SystemTransaction, 'maybeOne'>,
  id: number,
  hash: string,
  instead: number | null = null,
) => system.maybeOne(setPassword, { id, hash, instead });
