import { completed } from '@frontdesk/service';
import { insertDelta, readTotal } from '../counts/counts.ts';
import { writeEvent } from '../outbox/outbox.ts';
import type { Queryable } from '../pool/connection.ts';
import { createTenantExecutor, type TenantExecutor } from './executor.ts';
import type { TenantScope, TenantTransaction } from './scopes.ts';
import { createTenantRepository, type WithManager } from './tenant-repository.ts';
import { managerOf, type TransactionConnection } from './transaction.ts';
import { isRolledBack } from './transaction-client.ts';

type Transact = <Result>(work: (connection: TransactionConnection) => Promise<Result>) => Promise<Result>;

/** `onEmitted` is called after each commit of a transaction that wrote to the outbox. */
export function createTenantScope(options: {
  tenantId: number;
  queryable: Queryable;
  withManager: WithManager;
  transact: Transact;
  onEmitted: () => void;
}): TenantScope {
  const { tenantId, queryable, withManager, transact, onEmitted } = options;
  return {
    ...reads(createTenantExecutor(queryable, tenantId), withManager, tenantId),
    async transaction(work) {
      let hasEmitted = false;
      const result = await transact((connection) => {
        hasEmitted = false;
        return work(
          createTenantTransaction(connection, tenantId, () => {
            hasEmitted = true;
          }),
        );
      }).catch(async (error: unknown) => {
        throw await completed(error);
      });
      if (hasEmitted) onEmitted();
      return result;
    },
  };
}

function createTenantTransaction(
  connection: TransactionConnection,
  tenantId: number,
  onEmit: () => void,
): TenantTransaction {
  const { client } = connection;
  const executor = createTenantExecutor(client, tenantId);
  /** Its failure comes out at the commit, or at the savepoint's end. */
  const withoutWaiting = (statement: Promise<unknown>) => void statement.catch(() => {});
  return {
    ...reads(executor, async (work) => work(managerOf(connection)), tenantId),
    emit(type, event) {
      withoutWaiting(writeEvent(executor, tenantId, type, event));
      onEmit();
    },
    send(statement, ...args) {
      withoutWaiting(executor.run(statement, ...args));
    },
    addToCount(counter, delta) {
      withoutWaiting(executor.run(insertDelta, counter, delta));
    },
    async savepoint(work) {
      withoutWaiting(client.query('savepoint work'));
      try {
        const result = await work();
        await client.query('release savepoint work');
        return result;
      } catch (error) {
        const isUndone = await isRolledBack(client, 'rollback to savepoint work');
        // Only now all that was sent before is answered, and the first failure known.
        const cause = client.causeOf(error);
        if (isUndone) client.forgetFailure();
        throw cause;
      }
    },
  };
}

function reads(executor: TenantExecutor, withManager: WithManager, tenantId: number) {
  return {
    ...executor,
    tenantId,
    repository: ((entity) =>
      createTenantRepository(
        withManager,
        entity,
        tenantId,
      )) satisfies TenantScope['repository'] as TenantScope['repository'],
    total: async (counter: string) => (await executor.one(readTotal, counter)).total,
  };
}
