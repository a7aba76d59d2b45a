import { EngineRefusal, enginePasswords, isTlsFault } from '@frontdesk/service';
import pg from 'pg';
import { databaseError } from './connection.ts';

const INVALID_PASSWORD = '28P01';
/** A wrong user or password, no such database, no right to it. */
const REFUSED = /^(28P01|28000|3D000|42501)$/;
const PROBE_WITHIN_MS = 5_000;

/**
 * Connections of this process whose URL has no password take it from the file from now on, each of them anew: a password
 * can be replaced while the service runs. Connections are made in several places and by TypeORM, hence the default.
 */
export function takePasswordsFrom(file: string): void {
  const password = (connection: pg.ClientConfig) => passwordInForce(file, connection);
  // node-postgres calls a function; its types only know text.
  Object.assign(pg.defaults, { password });
}

/** While a password is being replaced, PostgreSQL knows either the new one or still the old one. */
async function passwordInForce(file: string, connection: pg.ClientConfig): Promise<string> {
  const [current, previous] = await enginePasswords(file, 'postgres');
  return previous && (await isInvalid(current, connection)) ? previous : current;
}

async function isInvalid(password: string, connection: pg.ClientConfig): Promise<boolean> {
  const { host, port, user, database, ssl } = connection;
  const bounds = { connectionTimeoutMillis: PROBE_WITHIN_MS };
  const client = new pg.Client({ ...{ host, port, user, database, ssl, password }, ...bounds });
  try {
    await client.connect();
    return false;
  } catch (error) {
    return (error as { code?: string }).code === INVALID_PASSWORD;
  } finally {
    await client.end().catch(() => {});
  }
}

/** What ends a service at its start, where PostgreSQL refuses it; any other error as it is. */
export function asRefusal(error: unknown, passwordsFile: string | undefined): unknown {
  const { code = '', message = '' } = databaseError(error) ?? {};
  const isRefused =
    REFUSED.test(code) || isTlsFault(error) || message === 'The server does not support SSL connections';
  if (!isRefused) return error;
  const isPassword = code === INVALID_PASSWORD && passwordsFile;
  return new EngineRefusal(`DATABASE_URL${isPassword ? ', ENGINE_PASSWORDS_FILE' : ''}`, error as Error);
}
