import type { Tenant } from '@frontdesk/contracts';

/** What an API key lets its client do: act for a tenant, on a plan. */
export interface KeyAccess {
  tenantId: number;
  keyId: number;
  plan: Tenant['plan'];
  status: Tenant['status'];
}
