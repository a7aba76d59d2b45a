import { NEAR_QUOTA, type QuotaUse, quotasOf, quotaUse, tenantSchema } from '@frontdesk/contracts';
import { everyPage } from '../../every-page.ts';
import { requestTo } from '../clients.ts';
import type { Service } from '../running-system.ts';

/** The services that decide quotas, each some of them. */
export const QUOTA_SERVICES = ['gateway', 'scheduling', 'calls', 'settings-ui'] as const satisfies Service[];

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
      requestTo(service, timeoutMs)('GET', '/internal/quota-uses', quotaUse.array()).catch(
        (error) => onFault(error) ?? service,
      ),
    ),
  );
  const uses = answers.filter((answer) => typeof answer !== 'string').flat();
  const unknown = answers.filter((answer) => typeof answer === 'string');
  if (uses.length === 0) return { unknown, tenants: [] };
  const allowed = await readQuotas(timeoutMs).catch(onFault);
  if (allowed === null) return { unknown: [...QUOTA_SERVICES], tenants: [] };
  const near = uses
    .map((use) => ({ ...use, allowed: allowed.get(use.tenant_id)?.[use.quota] ?? Number.POSITIVE_INFINITY }))
    .filter((use) => use.used >= NEAR_QUOTA * use.allowed);
  return { unknown, tenants: near.sort((a, b) => b.used / b.allowed - a.used / a.allowed) };
}

async function readQuotas(timeoutMs: number) {
  const request = requestTo('gateway', timeoutMs);
  const tenants = await everyPage((query) =>
    request('GET', `/internal/tenants?${query}`, tenantSchema.array()),
  );
  return new Map(tenants.map((tenant) => [tenant.id, quotasOf(tenant)]));
}
