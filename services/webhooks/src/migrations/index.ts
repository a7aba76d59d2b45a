import { ENDPOINT_SCOPES } from '@frontdesk/contracts';
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
  // Endpoints of earlier releases get everything.
  addColumn('ScopeEndpoints1790000000125', 'endpoints', {
    name: 'scopes',
    type: `text[] not null default '{${ENDPOINT_SCOPES.join(',')}}'`,
  }),
  // Sealed as one text, JSON of names and values. What may be shown is beside it.
  addColumn('OwnHeaders1790000000126', 'endpoints', { name: 'headers', type: 'text' }),
  addColumn('NameOwnHeaders1790000000127', 'endpoints', {
    name: 'header_names',
    type: "text[] not null default '{}'",
  }),
  // What each key has sealed.
  addIndex('SealOwnHeaders1790000000128', {
    name: 'endpoints_headers_sealed_by',
    on: "endpoints (split_part(headers, '.', 2)) where headers is not null and deleted_at is null",
  }),
  // Until they are purged.
  addIndex('IndexDeletedEndpoints1790000000129', {
    name: 'endpoints_deleted',
    on: 'endpoints (id) where deleted_at is not null',
  }),
];
