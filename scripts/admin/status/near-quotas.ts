import { gatewayRoutes, nearQuota, type QuotaUse, quotaRoutes } from '@frontdesk/contracts';
import { everyPage } from '../../every-page.ts';
import { requestTo } from '../clients.ts';
import type { Service } from '../running-system.ts';

/** The services that decide quotas, each some of them. */
export const QUOTA_SERVICES = [
  'gateway',
  'scheduling',
  'crm',
  'calls',
  'settings-ui',
] as const satisfies Service[];

export interface NearQuota extends QuotaUse {
  allowed: number;
}

/** Tenants that use most of a quota, the fullest first, and the services that couldn't be asked. */
export interface NearQuotas {
  unknown: Service[];
  tenants: NearQuota[];
}

/** Each question waits for at most `timeoutMs`; `onFault` is told why one got no answer. */
export async function readNearQuotas(
  timeoutMs: number,
  onFault: (error: unknown) => null,
): Promise<NearQuotas> {
  const answers = await Promise.all(
    QUOTA_SERVICES.map((service) =>
      requestTo(service, timeoutMs)(quotaRoutes.listQuotaUses, {}).catch(
        (error) => onFault(error) ?? service,
      ),
    ),
  );
  const uses = answers.filter((answer) => typeof answer !== 'string').flat();
  const unknown = answers.filter((answer) => typeof answer === 'string');
  if (uses.length === 0) return { unknown, tenants: [] };
  const tenants = await readTenants(timeoutMs).catch(onFault);
  if (tenants === null) return { unknown: [...QUOTA_SERVICES], tenants: [] };
  const near = uses.flatMap((use) => {
    const tenant = tenants.get(use.tenant_id);
    const allowed = tenant ? nearQuota(use, tenant) : null;
    return allowed === null ? [] : [{ ...use, allowed }];
  });
  return { unknown, tenants: near.sort((a, b) => b.used / b.allowed - a.used / a.allowed) };
}

async function readTenants(timeoutMs: number) {
  const request = requestTo('gateway', timeoutMs);
  const tenants = await everyPage((query) => request(gatewayRoutes.listTenants, { query }));
  return new Map(tenants.map((tenant) => [tenant.id, tenant]));
}
