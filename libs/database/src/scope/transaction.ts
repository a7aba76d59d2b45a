import type { EntityManager } from 'typeorm';
import { asUnavailable, isReadOnly, isReadTimeout, sqlState } from '../pool/connection.ts';
import type { Client, Connection, ConnectionPool } from '../pool/connection-pool.ts';
import { isRolledBack, type TransactionClient, transactionClient } from './transaction-client.ts';

const MAX_ATTEMPTS = 4;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

/** What a transaction's work gets of its connection. */
export interface TransactionConnection extends Pick<Connection, 'manager'> {
  client: TransactionClient;
}

/** @throws Error where the connection's database was made without entities */
export function managerOf({ manager }: Pick<Connection, 'manager'>): EntityManager {
  if (!manager) throw new Error('This database was made without entities.');
  return manager;
}

/** Work of one statement, without a transaction. Always gives the connection back. */
export async function onConnection<Result>(
  pool: ConnectionPool,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.acquire();
  let isBroken = false;
  try {
    return await work(connection);
  } catch (error) {
    isBroken = spoilsConnection(error);
    if (isBroken) connection.client.connection?.stream.destroy();
    throw error;
  } finally {
    await connection.release(isBroken);
  }
}

/**
 * One transaction on one pooled connection; a deadlock's victim is run again. Always gives the connection back.
 * @param opening goes with the `begin`, and must do no harm outside of the transaction
 */
export async function inTransaction<Result, Opening>(
  pool: ConnectionPool,
  work: (connection: TransactionConnection, opened: Opening) => Promise<Result>,
  opening: (client: Client) => Promise<Opening> = async () => undefined as Opening,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(pool, work, opening);
    } catch (error) {
      const isRetriable = [SERIALIZATION_FAILURE, DEADLOCK_DETECTED].includes(sqlState(error) ?? '');
      if (!isRetriable || attempt === MAX_ATTEMPTS) throw asUnavailable(error);
    }
  }
}

async function once<Result, Opening>(
  pool: ConnectionPool,
  work: (connection: TransactionConnection, opened: Opening) => Promise<Result>,
  opening: (client: Client) => Promise<Opening>,
): Promise<Result> {
  const connection = await pool.acquire();
  const { manager } = connection;
  const client = transactionClient(connection.client);
  let isBroken = false;
  try {
    // Awaited before the work: without it whatever comes next would be a transaction of its own.
    const [, opened] = await Promise.all([client.query('begin'), opening(client)]);
    const result = await work({ client, manager }, opened);
    // A statement whose values can't be encoded fails only in the next microtask, and never reaches the server.
    // Without this wait the other statements would be committed.
    await Promise.resolve();
    client.requireSuccess();
    const { command } = await client.query('commit');
    // A transaction in which a statement has failed is rolled back by a commit as well, without an error.
    client.requireSuccess();
    if (command !== 'COMMIT') throw new Error(`The transaction ended with ${command}.`);
    return result;
  } catch (error) {
    const hasRolledBack = !spoilsConnection(error) && (await isRolledBack(client));
    // By now all that was sent is answered.
    const cause = client.causeOf(error);
    isBroken = !hasRolledBack || spoilsConnection(cause);
    if (isBroken) client.connection?.stream.destroy();
    throw cause;
  } finally {
    await connection.release(isBroken);
  }
}

/**
 * After a read time-out, the late answer would be taken for the next statement's, and a rollback would wait behind
 * it: the connection is closed. A server that refuses writes may have become a standby: a new connection finds the
 * primary.
 */
const spoilsConnection = (error: unknown): boolean => isReadTimeout(error) || isReadOnly(error);
