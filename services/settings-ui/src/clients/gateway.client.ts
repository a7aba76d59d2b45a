import { gatewayRoutes as routes, type UpdateTenantProfile } from '@frontdesk/contracts';
import type { TenantApi } from './tenant-api.client.ts';

export type GatewayClient = ReturnType<typeof createGatewayClient>;

export const createGatewayClient = (gateway: TenantApi) => ({
  tenant: (tenantId: number) => gateway.get(routes.getTenant, { tenantId }),
  versionedTenant: (tenantId: number) => gateway.getVersioned(routes.getTenant, { tenantId }),
  changeProfile: (tenantId: number, body: UpdateTenantProfile, ifMatch: string | undefined) =>
    gateway.change(routes.updateProfile, { tenantId, body, ifMatch }),
  usage: (tenantId: number) => gateway.get(routes.getUsage, { tenantId }),
  quotaUsage: (tenantId: number) => gateway.get(routes.getQuotaUsage, { tenantId }),
  keys: (tenantId: number) => gateway.get(routes.listKeys, { tenantId }),
  createKey: (tenantId: number, body: { name: string }) =>
    gateway.change(routes.createKey, { tenantId, body }),
  revokeKey: (tenantId: number, id: number) => gateway.change(routes.revokeKey, { tenantId, id }),
  deleteKey: (tenantId: number, id: number) => gateway.change(routes.deleteKey, { tenantId, id }),
});
