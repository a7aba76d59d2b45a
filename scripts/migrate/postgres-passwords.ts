import { readJson } from '../start/keys/json-file.ts';
import { withPassword } from './connect-as-administrator.ts';

/** Of PostgreSQL's administrator in every system that an earlier release has started, unless its operator chose another. */
export const PASSWORD_OF_EARLIER_RELEASES = 'postgres';

/** Role → its password from now on, then those that it may still have. */
export type PostgresPasswords = Readonly<Record<string, readonly string[]>>;

/** Undefined where there is no such file to be used: URLs then say it all, or PGPASSWORD or a certificate does. */
export async function readPostgresPasswords(
  file: string | undefined,
): Promise<PostgresPasswords | undefined> {
  if (!file) return undefined;
  const passwords = await readJson<PostgresPasswords>(file, 'run the job keys, which writes it anew');
  if (!passwords) throw new Error(`POSTGRES_PASSWORDS_FILE: there is no ${file}.`);
  return passwords;
}

/**
 * The URL as it is where it has a password or there is no file, else with its role's.
 * @throws Error that names the variable of a role that has none
 */
export function withPasswordOf(
  passwords: PostgresPasswords | undefined,
  databaseUrl: string,
  variable: string,
): { url: string; earlier: readonly string[] } {
  const { username, password } = new URL(databaseUrl);
  if (password || !passwords) return { url: databaseUrl, earlier: [] };
  const [current, ...earlier] = passwords[decodeURIComponent(username)] ?? [];
  if (!current)
    throw new Error(`${variable} has no password, and POSTGRES_PASSWORDS_FILE has none for its role.`);
  return { url: withPassword(databaseUrl, current), earlier };
}

/**
 * The administrator's URL and, where its password is one that we have made, those that the server may know instead. An
 * operator's own is never replaced: it may be a typing error.
 */
export function administratorOf(
  passwords: PostgresPasswords | undefined,
  adminUrl: string,
  /** What its operator chose in an earlier release. */
  chosen: string | undefined,
): { adminUrl: string; earlierPasswords: readonly string[] } {
  const { url, earlier } = withPasswordOf(passwords, adminUrl, 'POSTGRES_ADMIN_URL');
  if (url === adminUrl) return { adminUrl, earlierPasswords: [] };
  const ofReleases = chosen ? [chosen, PASSWORD_OF_EARLIER_RELEASES] : [PASSWORD_OF_EARLIER_RELEASES];
  return { adminUrl: url, earlierPasswords: [...earlier, ...ofReleases] };
}
