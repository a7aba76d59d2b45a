import { addColumn } from './add-column.ts';
import { sharedBaseline } from './baseline.ts';
import { CreateCursorKeys1790000000013 } from './create-cursor-keys.ts';
import { CreateOperatorChanges1790000000031 } from './create-operator-changes.ts';
import type { MigrationClass } from './migration.ts';

/** Every service's first migrations. Their names sort before a service's own. */
export const sharedMigrations: readonly MigrationClass[] = [
  sharedBaseline,
  addColumn('TraceOutbox1790000000012', 'outbox', { name: 'traceparent', type: 'text' }),
  CreateCursorKeys1790000000013,
  // From how many bytes on tenants are kept; null until a process of this release has measured.
  addColumn('KeepLargeTenants1790000000015', 'stored_bytes_measurement', {
    name: 'kept_from',
    type: 'bigint',
  }),
  CreateOperatorChanges1790000000031,
];
