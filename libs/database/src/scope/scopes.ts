import type { EventType } from '@frontdesk/contracts';
import type { Logger } from '@frontdesk/service';
import type { EntitySchema } from 'typeorm';
import type { EmittedEvent } from '../outbox/outbox.ts';
import type { SystemExecutor, TenantExecutor } from './executor.ts';
import type { Given } from './parameters.ts';
import type { TenantStatement } from './statements.ts';
import type { TenantRepository, TenantRow } from './tenant-repository.ts';

/** What a tenant's scope and a transaction within it have in common: reading, and writes of a single statement. */
export interface TenantReads extends TenantExecutor {
  readonly tenantId: number;
  repository<Row extends TenantRow>(entity: EntitySchema<Row>): TenantRepository<Row>;
  /** Number of records under this counter. */
  total(counter: string): Promise<number>;
}

/** One tenant's data. Every statement that runs here is restricted to that tenant. */
export interface TenantScope extends TenantReads {
  /** For what fails once there is an answer already. */
  readonly logger: Logger;
  /**
   * Runs the work in one transaction on one connection; rolled back when it throws. After a deadlock or a
   * serialisation failure the work runs again from the start, so it must not keep state outside of it. The data of an
   * `AppError` that the work throws is worked out (`complete`) after the rollback.
   * @param opening asked in one trip with the `begin`; the work gets its result. Reads and locks only: if the `begin` fails,
   * they run outside of the transaction, and the work doesn't run.
   */
  transaction<Result>(work: (tx: TenantTransaction) => Promise<Result>): Promise<Result>;
  transaction<Result, Opening>(
    work: (tx: TenantTransaction, opened: Opening) => Promise<Result>,
    opening: (executor: TenantExecutor) => Promise<Opening>,
  ): Promise<Result>;
}

export interface TenantTransaction extends TenantReads {
  /**
   * Adds the event to the outbox. Insert or lock the aggregate's row first: that keeps one record's events in order. It goes with
   * what is sent next; where it fails, so does the transaction.
   */
  emit<Type extends EventType>(type: Type, event: EmittedEvent<Type>): void;
  /** Runs a statement whose result nobody needs, as `emit` does: without waiting. */
  send<Row, Args extends object>(statement: TenantStatement<Row, Args>, ...args: Given<Args>): void;
  addToCount(counter: string, delta: number): void;
}

/** All tenants' data, for workers and projections. */
export interface SystemScope extends SystemExecutor {
  transaction<Result>(work: (tx: SystemTransaction) => Promise<Result>): Promise<Result>;
}

export interface SystemTransaction extends SystemExecutor {
  /** As in a tenant's transaction. */
  emit<Type extends EventType>(tenantId: number, type: Type, event: EmittedEvent<Type>): void;
}
