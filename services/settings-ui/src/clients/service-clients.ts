import { createServiceClient, type IdentitySigner, type ServiceClient } from '@frontdesk/service';
import type { SettingsUiConfig } from '../config.ts';

type OwningService = 'gateway' | 'scheduling' | 'crm' | 'calls' | 'webhooks';
export type ServiceClients = Record<OwningService, ServiceClient>;

/** The internal API of each service that owns what the pages show and change, asked as the admins of one tenant. */
export function createServiceClients(config: SettingsUiConfig, signer: IdentitySigner): ServiceClients {
  const to = (audience: OwningService, baseUrl: string) =>
    createServiceClient({ baseUrl, audience, signer, role: 'admin', timeoutMs: config.CHANGE_TIMEOUT_MS });
  return {
    gateway: to('gateway', config.GATEWAY_INTERNAL_URL),
    scheduling: to('scheduling', config.SCHEDULING_INTERNAL_URL),
    crm: to('crm', config.CRM_INTERNAL_URL),
    calls: to('calls', config.CALLS_INTERNAL_URL),
    webhooks: to('webhooks', config.WEBHOOKS_INTERNAL_URL),
  };
}
