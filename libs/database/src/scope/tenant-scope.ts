import { completed, type Logger } from '@frontdesk/service';
import { insertDelta, readTotal } from '../counts/counts.ts';
import { writeEvent } from '../outbox/outbox.ts';
import type { Queryable } from '../pool/connection.ts';
import { createTenantExecutor, type TenantExecutor } from './executor.ts';
import type { TenantScope, TenantTransaction } from './scopes.ts';
import { createTenantRepository, type WithManager } from './tenant-repository.ts';
import { managerOf, type TransactionConnection } from './transaction.ts';

type Transact = <Result, Opening>(
  work: (connection: TransactionConnection, opened: Opening) => Promise<Result>,
  opening?: (client: Queryable) => Promise<Opening>,
) => Promise<Result>;

/** `onEmitted` is called after each commit of a transaction that wrote to the outbox. */
export function createTenantScope(options: {
  tenantId: number;
  queryable: Queryable;
  withManager: WithManager;
  transact: Transact;
  onEmitted: () => void;
  logger: Logger;
}): TenantScope {
  const { tenantId, queryable, withManager, transact, onEmitted, logger } = options;
  return {
    ...reads(createTenantExecutor(queryable, tenantId), withManager, tenantId),
    logger,
    async transaction<Result, Opening>(
      work: (tx: TenantTransaction, opened: Opening) => Promise<Result>,
      opening?: (executor: TenantExecutor) => Promise<Opening>,
    ) {
      let hasEmitted = false;
      const onEmit = () => {
        hasEmitted = true;
      };
      const result = await transact(
        (connection, opened: Opening) => {
          hasEmitted = false;
          return work(createTenantTransaction(connection, tenantId, onEmit), opened);
        },
        opening && ((client) => opening(createTenantExecutor(client, tenantId))),
      ).catch(async (error: unknown) => {
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
  /** Its failure comes out at the commit. */
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
      withoutWaiting(executor.run(insertDelta, { counter, delta }));
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
    total: async (counter: string) => (await executor.one(readTotal, { counter })).total,
  };
}
