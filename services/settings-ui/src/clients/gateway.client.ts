import {
  apiKeySchema,
  createdApiKey,
  removedRecord,
  tenantView,
  type UpdateTenantProfile,
  usageSchema,
} from '@frontdesk/contracts';
import type { ServiceClient } from '@frontdesk/service';

export type GatewayClient = ReturnType<typeof createGatewayClient>;

/** The gateway's internal API as the admins of one tenant use it; each call names that tenant. */
export function createGatewayClient(gateway: ServiceClient, options: { readTimeoutMs: number }) {
  const pathOf = (tenantId: number) => `/internal/tenants/${tenantId}`;
  const read = { method: 'GET', timeoutMs: options.readTimeoutMs } as const;

  return {
    tenant: (tenantId: number) =>
      gateway.request({ ...read, tenantId, path: pathOf(tenantId), schema: tenantView }),
    versionedTenant: (tenantId: number) =>
      gateway.requestVersioned({ ...read, tenantId, path: pathOf(tenantId), schema: tenantView }),
    changeProfile: (tenantId: number, body: UpdateTenantProfile, ifMatch: string | undefined) =>
      gateway.request({
        method: 'PATCH',
        tenantId,
        path: `${pathOf(tenantId)}/profile`,
        body,
        ifMatch,
        schema: tenantView,
      }),
    usage: (tenantId: number) =>
      gateway.request({ ...read, tenantId, path: `${pathOf(tenantId)}/usage`, schema: usageSchema }),
    keys: (tenantId: number) =>
      gateway.request({ ...read, tenantId, path: `${pathOf(tenantId)}/keys`, schema: apiKeySchema.array() }),
    createKey: (tenantId: number, body: { name: string }) =>
      gateway.request({
        method: 'POST',
        tenantId,
        path: `${pathOf(tenantId)}/keys`,
        body,
        schema: createdApiKey,
      }),
    revokeKey: (tenantId: number, id: number) =>
      gateway.request({
        method: 'POST',
        tenantId,
        path: `${pathOf(tenantId)}/keys/${id}/revoke`,
        schema: apiKeySchema,
      }),
    deleteKey: (tenantId: number, id: number) =>
      gateway.request({
        method: 'DELETE',
        tenantId,
        path: `${pathOf(tenantId)}/keys/${id}`,
        schema: removedRecord,
      }),
  };
}
