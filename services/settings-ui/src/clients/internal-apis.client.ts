import { type IdentitySigner, type Metrics, type ServiceClient, serviceClients } from '@frontdesk/service';
import type { SettingsUiConfig } from '../config.ts';
import type { TenantApi } from './tenant-api.client.ts';

type OwningService = 'gateway' | 'scheduling' | 'crm' | 'calls' | 'webhooks';
export type InternalApis = Record<OwningService, ServiceClient>;
export type TenantApis = Record<OwningService, TenantApi>;

/** The internal API of each service that owns what the pages show and change, asked as the admins of one tenant. */
export function createInternalApis(
  config: SettingsUiConfig,
  signer: IdentitySigner,
  metrics: Metrics,
): InternalApis {
  const clientOf = serviceClients({ signer, role: 'admin', timeoutMs: config.CHANGE_TIMEOUT_MS, metrics });
  return {
    gateway: clientOf('gateway', config.GATEWAY_INTERNAL_URL),
    scheduling: clientOf('scheduling', config.SCHEDULING_INTERNAL_URL),
    crm: clientOf('crm', config.CRM_INTERNAL_URL),
    calls: clientOf('calls', config.CALLS_INTERNAL_URL),
    webhooks: clientOf('webhooks', config.WEBHOOKS_INTERNAL_URL),
  };
}
