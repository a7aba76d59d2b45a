import type { TenantScope } from '@frontdesk/database';

/** What a tenant's scope and a transaction within it have in common. */
export type TenantReads = Omit<TenantScope, 'transaction'>;
