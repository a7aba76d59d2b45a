import { type ConsumerDeps, createConsumer, type EventConsumer } from '@frontdesk/events';
import type { TenantDirectory } from './tenant-directory.ts';

/** Keeps a service's projection of tenants level with the gateway. */
export const tenantsConsumer = (
  tenants: Pick<TenantDirectory, 'apply'>,
  { name, ...deps }: ConsumerDeps & { name: string },
): EventConsumer =>
  createConsumer({ ...deps, group: `${name}.tenants`, topics: ['tenants'], apply: tenants.apply });
