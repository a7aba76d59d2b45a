import {
  apiKeySchema,
  createdApiKey,
  quotaUsageSchema,
  removedRecord,
  tenantView,
  type UpdateTenantProfile,
  usageSchema,
} from '@frontdesk/contracts';
import type { TenantApi } from './tenant-api.ts';

export type GatewayClient = ReturnType<typeof createGatewayClient>;

export const createGatewayClient = (gateway: TenantApi) => ({
  tenant: (tenantId: number) => gateway.get(tenantId, '', tenantView),
  versionedTenant: (tenantId: number) => gateway.getVersioned(tenantId, '', tenantView),
  changeProfile: (tenantId: number, body: UpdateTenantProfile, ifMatch: string | undefined) =>
    gateway.patch(tenantId, '/profile', tenantView, { body, ifMatch }),
  usage: (tenantId: number) => gateway.get(tenantId, '/usage', usageSchema),
  quotaUsage: (tenantId: number) => gateway.get(tenantId, '/quota-usage', quotaUsageSchema),
  keys: (tenantId: number) => gateway.get(tenantId, '/keys', apiKeySchema.array()),
  createKey: (tenantId: number, body: { name: string }) =>
    gateway.post(tenantId, '/keys', createdApiKey, { body }),
  revokeKey: (tenantId: number, id: number) => gateway.post(tenantId, `/keys/${id}/revoke`, apiKeySchema),
  deleteKey: (tenantId: number, id: number) => gateway.delete(tenantId, `/keys/${id}`, removedRecord),
});
