export { CreateTenants1790000000004 as tenantsMigration } from './create-tenants.ts';
export { isSuspended } from './is-suspended.ts';
export { createTenantDirectory, type TenantDirectory, type TenantProfile } from './tenant-directory.ts';
export { tenantsConsumer } from './tenants-consumer.ts';
