import { AddQuotas1790000000007 } from './add-quotas.ts';
import { CreateTenants1790000000004 } from './create-tenants.ts';

/** The migrations of the projection, for a service's list of migrations. */
export const tenantsMigrations = [CreateTenants1790000000004, AddQuotas1790000000007] as const;
export { isSuspended } from './is-suspended.ts';
export { createTenantDirectory, type TenantDirectory, type TenantProfile } from './tenant-directory.ts';
export { findTenantName } from './tenant-projection.ts';
export { tenantsConsumer } from './tenants-consumer.ts';
