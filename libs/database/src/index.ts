export { createConsumerProgress } from './consumers/consumer-progress.ts';
export { createDeadLetters } from './consumers/dead-letters.ts';
export { listEventGaps } from './consumers/event-gaps.repository.ts';
export { NEVER_FILLED, projectionState } from './consumers/projection-state.ts';
export { createCountFolder } from './counts/count-folder.ts';
export { createDatabase, type Database, databaseSettings } from './database.ts';
export { createHousekeeping } from './housekeeping/housekeeping.ts';
export { type Answer, answerOnce, type Call, type Transact } from './idempotency/answer-once.ts';
export type { CursorPlace, Cursors } from './lists/cursors.ts';
export { defineList, defineSystemList, type ListReading, type ListWindow } from './lists/list.ts';
export type { ListStatements } from './lists/list-statements.ts';
export { addColumn } from './migrations/add-column.ts';
export { CreateProjections1790000000005 as projectionsMigration } from './migrations/create-projections.ts';
export { sharedMigrations } from './migrations/index.ts';
export { migrate } from './migrations/migrate.ts';
export type { Migration, MigrationClass, QueryRunner } from './migrations/migration.ts';
export { setAutovacuum } from './migrations/set-autovacuum.ts';
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
export { type LetterReader, retryStuckEvent, retryStuckEvents } from './stuck-events/retry-stuck-event.ts';
export { createStuckEvents } from './stuck-events/stuck-events.repository.ts';
