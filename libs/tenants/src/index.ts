import { addColumn } from '@frontdesk/database';
import { tenantsBaseline } from './baseline.ts';

/** The migrations of the projection, for a service's list of migrations. */
export const tenantsMigrations = [
  tenantsBaseline,
  addColumn('NoteFullStorage1790000000014', 'tenants', {
    name: 'storage_full',
    type: 'boolean not null default false',
  }),
] as const;
export { isSuspended } from './is-suspended.ts';
export { createTenantDirectory, type TenantDirectory, type TenantProfile } from './tenant-directory.ts';
export { findTenantName } from './tenant-projection.ts';
export { tenantsConsumer } from './tenants-consumer.ts';
