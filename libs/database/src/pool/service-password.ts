import { EngineAccessError, enginePasswords, isTlsFault } from '@frontdesk/service';
import pg from 'pg';
import { ClosingClient } from './closing-client.ts';
import { databaseError } from './connection.ts';

const INVALID_PASSWORD = '28P01';
/** A wrong user or password, no such database, no right to it. */
const REFUSED = /^(28P01|28000|3D000|42501)$/;
/** What node-postgres says where the server asks for a password, and there is none. */
const NO_PASSWORD = /client password must be a (non-empty )?string/;
const NO_TLS = 'The server does not support SSL connections';

/**
 * A client that takes a password which its URL lacks from the file, for each connection anew: a password can be replaced while the
 * service runs. node-postgres's setting `password`, which may be a function too, gives way to what a URL says, also to nothing.
 */
export function clientWithPasswordFrom(file: string, probeMs: number): typeof pg.Client {
  return class extends ClosingClient {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      if (this.password) return;
      const password = (connection: pg.ClientConfig) => passwordInForce(file, connection, probeMs);
      // node-postgres calls a function; its types only know text.
      Object.assign(this, { password });
    }
  };
}

/** While a password is being replaced, PostgreSQL knows either the new one or still the old one. */
async function passwordInForce(file: string, connection: pg.ClientConfig, probeMs: number): Promise<string> {
  const [current, previous] = enginePasswords(file, 'postgres');
  return previous && (await isInvalid(current, connection, probeMs)) ? previous : current;
}

async function isInvalid(password: string, connection: pg.ClientConfig, probeMs: number): Promise<boolean> {
  const { host, port, user, database, ssl } = connection;
  const bounds = { connectionTimeoutMillis: probeMs };
  const client = new pg.Client({ host, port, user, database, ssl, password, ...bounds });
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
    REFUSED.test(code) || isTlsFault(error) || message === NO_TLS || NO_PASSWORD.test(message);
  if (!isRefused) return error;
  const isPassword = code === INVALID_PASSWORD && passwordsFile;
  return new EngineAccessError(`DATABASE_URL${isPassword ? ', ENGINE_PASSWORDS_FILE' : ''}`, error as Error);
}
