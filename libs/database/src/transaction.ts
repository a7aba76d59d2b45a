import type { DataSource, EntityManager } from 'typeorm';
import { asUnavailable, isReadTimeout, type Queryable, sqlState } from './connection.ts';

export interface Connection {
  client: Queryable;
  manager: EntityManager;
}

const MAX_ATTEMPTS = 4;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

/** One transaction on one pooled connection; a deadlock's victim is run again. Always gives the connection back. */
export async function inTransaction<Result>(
  dataSource: DataSource,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(dataSource, work);
    } catch (error) {
      const isRetriable = [SERIALIZATION_FAILURE, DEADLOCK_DETECTED].includes(sqlState(error) ?? '');
      if (!isRetriable || attempt === MAX_ATTEMPTS) throw asUnavailable(error);
    }
  }
}

async function once<Result>(
  dataSource: DataSource,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const runner = dataSource.createQueryRunner();
  let client: Queryable | undefined;
  try {
    client = (await runner.connect()) as Queryable;
    await runner.startTransaction();
    const result = await work({ client, manager: runner.manager });
    await runner.commitTransaction();
    return result;
  } catch (error) {
    // Whatever still arrives on it would answer somebody else's statement, and a rollback would wait behind it.
    if (isReadTimeout(error)) client?.connection?.stream.destroy();
    // The first error is the one to report: on a lost connection the rollback fails too.
    else if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => {});
    throw error;
  } finally {
    await runner.release();
  }
}
