export { createConsumerProgress } from './consumers/consumer-progress.ts';
export { createDeadLetters } from './consumers/dead-letters.ts';
export { listEventGaps } from './consumers/event-gaps.repository.ts';
export { NEVER_FILLED, projectionState } from './consumers/projection-state.ts';
export { createCountFolder } from './counts/count-folder.ts';
export {
  countExactly,
  createQuotaGate,
  type GateArgs,
  gateArgs,
  openGate,
  type QuotaGate,
} from './counts/quota-gate.ts';
export { createDatabase, type Database, databaseSettings } from './database.ts';
export { createHousekeeping } from './housekeeping/housekeeping.ts';
export { listStoredBytes } from './housekeeping/stored-bytes.ts';
export { type Answer, answerOnce, type Call, type Transact } from './idempotency/answer-once.ts';
export type { CursorPlace, Cursors } from './lists/cursors.ts';
export {
  defineList,
  defineSystemList,
  type ListReading,
  type ListWindow,
  valuesOfFilters,
} from './lists/list.ts';
export type { ListStatements, PageRow } from './lists/list-statements.ts';
export { addColumn } from './migrations/add-column.ts';
export { addIndex } from './migrations/add-index.ts';
export { projectionsBaseline } from './migrations/baseline.ts';
export { sharedMigrations } from './migrations/index.ts';
export { makeBaseline } from './migrations/make-baseline.ts';
export { migrate } from './migrations/migrate.ts';
export type { Migration, MigrationClass, QueryRunner } from './migrations/migration.ts';
export { setAutovacuum } from './migrations/set-autovacuum.ts';
export {
  concludeOperatorChange,
  concludeOperatorChanges,
  insertOperatorChange,
  listOperatorChanges,
  removeOperatorChanges,
  watchOperatorChanges,
} from './operator-changes/operator-changes.repository.ts';
export { createOutboxRelay } from './outbox/outbox-relay.ts';
export { isConstraintViolation, sqlState } from './pool/connection.ts';
export type {
  SystemScope,
  SystemTransaction,
  TenantReads,
  TenantScope,
  TenantTransaction,
} from './scope/scopes.ts';
export { type SystemStatement, systemSql, type TenantStatement, tenantSql } from './scope/statements.ts';
export type { TenantRepository, TenantRow } from './scope/tenant-repository.ts';
export {
  type DeadLetterReader,
  retryStuckEvent,
  retryStuckEvents,
} from './stuck-events/retry-stuck-event.ts';
export { createStuckEvents } from './stuck-events/stuck-events.repository.ts';
