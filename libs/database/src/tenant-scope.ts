import type { EntityManager } from 'typeorm';
import type { Queryable } from './connection.ts';
import { insertDelta, readTotal } from './counts.ts';
import { createTenantExecutor, type TenantExecutor } from './executor.ts';
import { writeEvent } from './outbox.ts';
import type { TenantScope, TenantTransaction } from './scopes.ts';
import { createTenantRepository } from './tenant-repository.ts';
import type { Connection } from './transaction.ts';

type Transact = <Result>(work: (connection: Connection) => Promise<Result>) => Promise<Result>;

/** `onEmitted` is called after each commit of a transaction that wrote to the outbox. */
export function createTenantScope(options: {
  tenantId: number;
  queryable: Queryable;
  manager: EntityManager;
  transact: Transact;
  onEmitted: () => void;
}): TenantScope {
  const { tenantId, queryable, manager, transact, onEmitted } = options;
  return {
    ...reads(createTenantExecutor(queryable, tenantId), manager, tenantId),
    async transaction(work) {
      let hasEmitted = false;
      const result = await transact((connection) => {
        hasEmitted = false;
        return work(
          createTenantTransaction(connection, tenantId, () => {
            hasEmitted = true;
          }),
        );
      });
      if (hasEmitted) onEmitted();
      return result;
    },
  };
}

function createTenantTransaction(
  connection: Connection,
  tenantId: number,
  onEmit: () => void,
): TenantTransaction {
  const { client, manager } = connection;
  const executor = createTenantExecutor(client, tenantId);
  return {
    ...reads(executor, manager, tenantId),
    async emit(type, event) {
      await writeEvent(executor, tenantId, type, event);
      onEmit();
    },
    async addToCount(counter, delta) {
      await executor.run(insertDelta, counter, delta);
    },
    async savepoint(work) {
      await manager.query('savepoint work');
      try {
        const result = await work();
        await manager.query('release savepoint work');
        return result;
      } catch (error) {
        await manager.query('rollback to savepoint work');
        throw error;
      }
    },
  };
}

function reads(executor: TenantExecutor, manager: EntityManager, tenantId: number) {
  return {
    ...executor,
    tenantId,
    repository: ((entity) =>
      createTenantRepository(
        manager,
        entity,
        tenantId,
      )) satisfies TenantScope['repository'] as TenantScope['repository'],
    total: async (counter: string) => (await executor.one(readTotal, counter)).total,
  };
}
