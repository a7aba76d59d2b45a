import { writeEvent } from '../outbox/outbox.ts';
import type { Queryable } from '../pool/connection.ts';
import { createSystemExecutor, createTenantExecutor } from './executor.ts';
import type { SystemScope } from './scopes.ts';
import type { TransactionConnection } from './transaction.ts';

/** `onEmitted` is called after each commit of a transaction that wrote to the outbox. */
export function createSystemScope(options: {
  queryable: Queryable;
  transact: <Result>(work: (connection: TransactionConnection) => Promise<Result>) => Promise<Result>;
  onEmitted: () => void;
}): SystemScope {
  const { queryable, transact, onEmitted } = options;
  return {
    ...createSystemExecutor(queryable),
    async transaction(work) {
      let hasEmitted = false;
      const result = await transact(({ client }) => {
        hasEmitted = false;
        return work({
          ...createSystemExecutor(client),
          emit(tenantId, type, event) {
            // Its failure comes out at the commit.
            writeEvent(createTenantExecutor(client, tenantId), tenantId, type, event).catch(() => {});
            hasEmitted = true;
          },
        });
      });
      if (hasEmitted) onEmitted();
      return result;
    },
  };
}
