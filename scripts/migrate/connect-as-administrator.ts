import pg from 'pg';

/** What PostgreSQL answers to a wrong password. */
const INVALID_PASSWORD = '28P01';
/** Any number will do, as long as everyone who changes roles and databases here takes the same lock. */
const LOCK_KEY = 4_120_217;

/**
 * Connects as the role that may create roles and databases, and takes the advisory lock of those who do, which ends with the
 * connection. A server that knows an earlier password of the role gets the one in the URL, for good. The caller ends
 * the connection.
 */
export async function connectAsAdministrator(
  adminUrl: string,
  earlierPasswords: readonly string[] = [],
): Promise<pg.Client> {
  try {
    return await connect(adminUrl);
  } catch (error) {
    const isInvalid = (error as { code?: string }).code === INVALID_PASSWORD;
    if (!isInvalid || earlierPasswords.length === 0) throw error;
  }
  for (const earlier of earlierPasswords) {
    const { password } = new URL(adminUrl);
    const statement = `ALTER ROLE CURRENT_USER PASSWORD ${pg.escapeLiteral(decodeURIComponent(password))}`;
    const client = await connect(withPassword(adminUrl, earlier), statement).catch(ifInvalid);
    if (client) return client;
  }
  // Another job may have been quicker.
  return await connect(adminUrl);
}

/** The same URL with another password. */
export function withPassword(url: string, password: string): string {
  const changed = new URL(url);
  changed.password = encodeURIComponent(password);
  return changed.href;
}

async function connect(connectionString: string, statement = ''): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);
    if (statement) await client.query(statement);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

function ifInvalid(error: { code?: string }): null {
  if (error.code === INVALID_PASSWORD) return null;
  throw error;
}
