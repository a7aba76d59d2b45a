import { addColumn, addIndex, type MigrationClass, sharedMigrations } from '@frontdesk/database';
import { tenantsMigrations } from '@frontdesk/tenants';
import { baseline } from './baseline.ts';
import { NameDeliveries1790000000123 } from './name-deliveries.ts';

export const migrations: readonly MigrationClass[] = [
  ...sharedMigrations,
  ...tenantsMigrations,
  baseline,
  addColumn('TraceDeliveries1790000000122', 'delivery_queue', { name: 'traceparent', type: 'text' }),
  NameDeliveries1790000000123,
  // Claims go from tenant to tenant. `delivery_queue_waiting`, which goes from endpoint to endpoint, stays for processes of 0.1.0.
  addIndex('QueueByTenant1790000000124', {
    name: 'delivery_queue_due',
    on: 'delivery_queue (tenant_id, endpoint_id, due_at, delivery_id) where lease_token is null',
  }),
];
