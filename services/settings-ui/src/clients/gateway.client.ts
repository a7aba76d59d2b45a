import {
  type CreateKey,
  gatewayRoutes as routes,
  type UpdateKey,
  type UpdateTenantProfile,
} from '@frontdesk/contracts';
import type { By } from '../session/session.rules.ts';
import type { TenantApi } from './tenant-api.client.ts';

export type GatewayClient = ReturnType<typeof createGatewayClient>;

export const createGatewayClient = (gateway: TenantApi) => ({
  /** Needs no scope: pages name the business before there is a session. */
  tenant: ({ tenantId }: Pick<By, 'tenantId'>) =>
    gateway.get(routes.getTenant, { by: { tenantId, membershipId: null, scopes: [] } }),
  versionedTenant: (by: By) => gateway.getVersioned(routes.getTenant, { by }),
  changeProfile: (by: By, body: UpdateTenantProfile, ifMatch: string | undefined) =>
    gateway.change(routes.updateProfile, { by, body, ifMatch }),
  usage: (by: By) => gateway.get(routes.getUsage, { by }),
  quotaUsage: (by: By) => gateway.get(routes.getQuotaUsage, { by }),
  keys: (by: By) => gateway.get(routes.listKeys, { by }),
  key: (by: By, id: number) => gateway.getVersioned(routes.getKey, { by, id }),
  createKey: (by: By, body: CreateKey) => gateway.change(routes.createKey, { by, body }),
  changeKey: (by: By, id: number, body: UpdateKey, ifMatch: string | undefined) =>
    gateway.change(routes.updateKey, { by, id, body, ifMatch }),
  rollKey: (by: By, id: number, hours: number) => gateway.change(routes.rollKey, { by, id, body: { hours } }),
  keyUse: (by: By, id: number) => gateway.get(routes.getKeyUse, { by, id }),
  revokeKey: (by: By, id: number) => gateway.change(routes.revokeKey, { by, id }),
  deleteKey: (by: By, id: number) => gateway.change(routes.deleteKey, { by, id }),
});
