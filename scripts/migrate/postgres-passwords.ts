import { readJson } from '../start/json-file.ts';
import { withPassword } from './connect-as-administrator.ts';

/** Role → its password from now on, then those that it may still have. */
export type PostgresPasswords = Readonly<Record<string, readonly string[]>>;

export async function readPostgresPasswords(file: string | undefined): Promise<PostgresPasswords> {
  if (!file) return {};
  const passwords = await readJson<PostgresPasswords>(file);
  if (!passwords) throw new Error(`POSTGRES_PASSWORDS_FILE: there is no ${file}.`);
  return passwords;
}

/** The URL as it is where it has a password, else with its role's. @throws Error that names the variable of a role that has none */
export function withPasswordOf(
  passwords: PostgresPasswords,
  databaseUrl: string,
  variable: string,
): { url: string; earlier: readonly string[] } {
  const { username, password } = new URL(databaseUrl);
  if (password) return { url: databaseUrl, earlier: [] };
  const [current, ...earlier] = passwords[decodeURIComponent(username)] ?? [];
  if (!current)
    throw new Error(`${variable} has no password, and POSTGRES_PASSWORDS_FILE has none for its role.`);
  return { url: withPassword(databaseUrl, current), earlier };
}
