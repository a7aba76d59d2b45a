import { asUnavailable, isReadTimeout, sqlState } from './connection.ts';
import type { Connection, ConnectionPool } from './connection-pool.ts';

const MAX_ATTEMPTS = 4;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

/** One transaction on one pooled connection; a deadlock's victim is run again. Always gives the connection back. */
export async function inTransaction<Result>(
  pool: ConnectionPool,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(pool, work);
    } catch (error) {
      const isRetriable = [SERIALIZATION_FAILURE, DEADLOCK_DETECTED].includes(sqlState(error) ?? '');
      if (!isRetriable || attempt === MAX_ATTEMPTS) throw asUnavailable(error);
    }
  }
}

async function once<Result>(
  pool: ConnectionPool,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.acquire();
  const { client } = connection;
  let isBroken = false;
  try {
    await client.query('begin');
    const result = await work(connection);
    await client.query('commit');
    return result;
  } catch (error) {
    // After a read time-out whatever still arrives would answer somebody else's statement, and a rollback would wait behind it.
    isBroken = isReadTimeout(error) || !(await isRolledBack(client));
    if (isBroken) client.connection?.stream.destroy();
    throw error;
  } finally {
    await connection.release(isBroken);
  }
}

/** The first error is the one to report: on a lost connection the rollback fails too. */
const isRolledBack = (client: Connection['client']): Promise<boolean> =>
  client.query('rollback').then(
    () => true,
    () => false,
  );
