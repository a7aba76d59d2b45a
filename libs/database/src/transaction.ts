import { asUnavailable, isReadTimeout, sqlState } from './connection.ts';
import type { Client, Connection, ConnectionPool } from './connection-pool.ts';
import { gathering } from './gathering.ts';
import { createSentStatements, type SentStatements } from './sent-statements.ts';

const MAX_ATTEMPTS = 4;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

/** A connection for the time of a transaction. */
export interface TransactionConnection extends Pick<Connection, 'client' | 'manager'> {
  sent: SentStatements;
}

/** One transaction on one pooled connection; a deadlock's victim is run again. Always gives the connection back. */
export async function inTransaction<Result>(
  pool: ConnectionPool,
  work: (connection: TransactionConnection) => Promise<Result>,
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
  work: (connection: TransactionConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.acquire();
  const { manager } = connection;
  const client = gathering(connection.client);
  const sent = createSentStatements();
  let isBroken = false;
  try {
    // Awaited: without it whatever comes next would be a transaction of its own.
    await client.query('begin');
    const result = await work({ client, manager, sent });
    sent.add(client.query('commit').then(requireCommit));
    await sent.settle();
    return result;
  } catch (later) {
    const error = await sent.settle().then(
      () => later,
      (first) => first,
    );
    // After a read time-out whatever still arrives would answer somebody else's statement, and a rollback would wait behind it.
    isBroken = isReadTimeout(error) || !(await isRolledBack(client));
    if (isBroken) client.connection?.stream.destroy();
    throw error;
  } finally {
    await connection.release(isBroken);
  }
}

/** A transaction in which a statement has failed is rolled back by a commit as well, without an error. */
function requireCommit({ command }: { command: string }): void {
  if (command !== 'COMMIT') throw new Error(`The transaction ended with ${command}.`);
}

/** The first error is the one to report: on a lost connection the rollback fails too. */
const isRolledBack = (client: Client): Promise<boolean> =>
  client.query('rollback').then(
    () => true,
    () => false,
  );
