import { addColumn } from './add-column.ts';
import { CreateCounts1790000000003 } from './create-counts.ts';
import { CreateCursorKeys1790000000013 } from './create-cursor-keys.ts';
import { CreateDeadLetters1790000000006 } from './create-dead-letters.ts';
import { CreateEventGaps1790000000009 } from './create-event-gaps.ts';
import { CreateIdempotencyKeys1790000000002 } from './create-idempotency-keys.ts';
import { CreateOutbox1790000000001 } from './create-outbox.ts';
import { CreateStoredBytes1790000000008 } from './create-stored-bytes.ts';
import { KeepEmptyPages1790000000011 } from './keep-empty-pages.ts';
import type { MigrationClass } from './migration.ts';
import { setAutovacuum } from './set-autovacuum.ts';

/** Every service's first migrations. Their names sort before a service's own. */
export const sharedMigrations: readonly MigrationClass[] = [
  CreateOutbox1790000000001,
  CreateIdempotencyKeys1790000000002,
  CreateCounts1790000000003,
  CreateDeadLetters1790000000006,
  CreateStoredBytes1790000000008,
  CreateEventGaps1790000000009,
  setAutovacuum('SetAutovacuum1790000000010', ['outbox', 'idempotency_keys', 'counts']),
  KeepEmptyPages1790000000011,
  addColumn('TraceOutbox1790000000012', 'outbox', { name: 'traceparent', type: 'text' }),
  CreateCursorKeys1790000000013,
];
