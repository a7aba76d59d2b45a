import pg from 'pg';
import { connectAsAdministrator } from './connect-as-administrator.ts';

export interface DatabaseAccount {
  role: string;
  password: string;
  database: string;
}

/** Databases that every server has. What is PUBLIC's there would be every service's too. */
const SHARED_DATABASES = ['postgres', 'template1'];

/**
 * Creates the roles and databases that are missing and sets the passwords. Each role may log in, owns its own database
 * and can connect to no other. All of it and `work` run under one advisory lock: one migration at a time for a server.
 */
export async function withDatabases<Result>(
  adminUrl: string,
  accounts: readonly DatabaseAccount[],
  work: () => Promise<Result>,
  /** Of the administrator, for a server that doesn't know the one in the URL yet. */
  earlierPasswords: readonly string[] = [],
): Promise<Result> {
  const client = await connectAsAdministrator(adminUrl, earlierPasswords);
  try {
    await ensureRoles(client, accounts);
    await ensureDatabases(client, accounts);
    return await work();
  } finally {
    await client.end();
  }
}

async function ensureRoles(client: pg.Client, accounts: readonly DatabaseAccount[]): Promise<void> {
  const { rows } = await client.query<{ rolname: string }>(
    'SELECT rolname FROM pg_roles WHERE rolname = ANY($1)',
    [accounts.map(({ role }) => role)],
  );
  const present = new Set(rows.map(({ rolname }) => rolname));
  const statements = accounts.map(
    ({ role, password }) =>
      `${present.has(role) ? 'ALTER' : 'CREATE'} ROLE ${pg.escapeIdentifier(role)} LOGIN PASSWORD ${pg.escapeLiteral(password)};`,
  );
  await client.query(statements.join('\n'));
}

async function ensureDatabases(client: pg.Client, accounts: readonly DatabaseAccount[]): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    'SELECT datname FROM pg_database WHERE datname = ANY($1)',
    [accounts.map(({ database }) => database)],
  );
  const present = new Set(rows.map(({ datname }) => datname));
  for (const { database, role } of accounts.filter(({ database }) => !present.has(database))) {
    // One statement at a time: CREATE DATABASE can't be part of a transaction, which a batch is.
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)} OWNER ${pg.escapeIdentifier(role)}`);
  }
  const closed = [...SHARED_DATABASES, ...accounts.map(({ database }) => database)];
  await client.query(
    closed.map((name) => `REVOKE ALL ON DATABASE ${pg.escapeIdentifier(name)} FROM PUBLIC;`).join('\n'),
  );
}
