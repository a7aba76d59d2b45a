import { sqlState } from './connection.ts';
import type { Client } from './connection-pool.ts';

/** What PostgreSQL says to all that comes behind a statement that has failed, up to the end of the transaction or a savepoint. */
const CONSEQUENCES = ['25P02', '3B001'];

/** A connection for the time of a transaction, in which not every statement is waited for. */
export interface TransactionClient extends Client {
  /** What this error came of: the first failure, where it only says that one has come before. */
  causeOf(error: unknown): unknown;
  /** @throws the first failure; answers come in the order of the statements */
  requireSuccess(): void;
  /** What has failed is undone. */
  recovered(): void;
}

/** The same client; what is asked of it in one turn of the event loop leaves in one write, as each write wakes the server. */
export function transactionClient(client: Client): TransactionClient {
  const { query } = gathering(client);
  let first: { error: unknown } | undefined;
  return {
    ...(client.connection && { connection: client.connection }),
    query(statement) {
      const answer = query(statement);
      answer.catch((error: unknown) => {
        first ??= { error };
      });
      return answer;
    },
    causeOf: (error) => (first && CONSEQUENCES.includes(sqlState(error) ?? '') ? first.error : error),
    requireSuccess() {
      if (first) throw first.error;
    },
    recovered() {
      first = undefined;
    },
  };
}

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
