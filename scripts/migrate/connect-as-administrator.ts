import pg from 'pg';

/** What PostgreSQL answers to a wrong password. */
const INVALID_PASSWORD = '28P01';
/** Of every system that an earlier release has started, unless its operator chose another. */
const PASSWORD_OF_EARLIER_RELEASES = 'postgres';

/**
 * Connects as the role that may create roles and databases. A server that knows an earlier password of it gets the one
 * in the URL, for good. Whoever connects ends the connection.
 */
export async function connectAsAdministrator(
  adminUrl: string,
  earlierPasswords: readonly string[] = [],
): Promise<pg.Client> {
  try {
    return await connect(adminUrl);
  } catch (error) {
    if ((error as { code?: string }).code !== INVALID_PASSWORD) throw error;
    for (const earlier of [...earlierPasswords, PASSWORD_OF_EARLIER_RELEASES]) {
      const client = await connect(withPassword(adminUrl, earlier)).catch(() => null);
      if (!client) continue;
      const { password } = new URL(adminUrl);
      await client.query(
        `ALTER ROLE CURRENT_USER PASSWORD ${pg.escapeLiteral(decodeURIComponent(password))}`,
      );
      return client;
    }
    throw error;
  }
}

/** The same URL with another password. */
export function withPassword(url: string, password: string): string {
  const changed = new URL(url);
  changed.password = encodeURIComponent(password);
  return changed.href;
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}
