import { sqlState } from '../pool/connection.ts';
import type { Client } from '../pool/connection-pool.ts';

/** What PostgreSQL says to all that comes behind a statement that has failed, up to the end of the transaction. */
const CONSEQUENCE = '25P02';

/** A connection for the time of a transaction, in which not every statement is waited for. */
export interface TransactionClient extends Client {
  /** What this error came of: the first failure, where it only says that one has come before. */
  causeOf(error: unknown): unknown;
  /** @throws the first failure; answers come in the order of the statements */
  requireSuccess(): void;
}

/** The client for one transaction: it remembers the first failure, which may be a statement's that nobody waited for. */
export function transactionClient(client: Client): TransactionClient {
  const { query } = gathering(client);
  let firstFailure: { error: unknown } | undefined;
  return {
    ...(client.connection && { connection: client.connection }),
    query(statement) {
      const answer = query(statement);
      answer.catch((error: unknown) => {
        firstFailure ??= { error };
      });
      return answer;
    },
    causeOf: (error) => (firstFailure && sqlState(error) === CONSEQUENCE ? firstFailure.error : error),
    requireSuccess() {
      if (firstFailure) throw firstFailure.error;
    },
  };
}

/** What is asked in one go leaves in one write: each write wakes the server. */
function gathering(client: Client): Pick<Client, 'query'> {
  const stream = client.connection?.stream;
  if (!stream) return client;
  let isGathering = false;
  const gather = () => {
    if (isGathering) return;
    isGathering = true;
    stream.cork();
    process.nextTick(() => {
      isGathering = false;
      stream.uncork();
    });
  };
  return {
    query(statement) {
      gather();
      return client.query(statement);
    },
  };
}

/** The first error is the one to report: on a lost connection the rollback fails too. */
export const isRolledBack = (client: Client): Promise<boolean> =>
  client.query('rollback').then(
    () => true,
    () => false,
  );
