import { QUOTA_NAMES, type QuotaUsage, type TenantView } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { countAdmins } from '../accounts/member-count.repository.ts';
import type { Clients } from '../clients/clients.ts';
import { orNull } from '../clients/or-null.ts';
import { quotaUse } from '../records/quota-use.rules.ts';
import type { By } from '../session/session.rules.ts';
import type { NearlyFullQuota } from './today.rules.ts';

/** How much of its quotas a business has used. What a service that is away decides is left out. */
export async function loadQuotaUsage(
  { database, gateway, scheduling, calls, customers }: Clients & { database: Database },
  by: By,
): Promise<QuotaUsage> {
  const [admins, ...usages] = await Promise.all([
    countAdmins(database.forTenant(by.tenantId)),
    orNull(gateway.quotaUsage(by)),
    orNull(scheduling.quotaUsage(by)),
    orNull(calls.quotaUsage(by)),
    orNull(customers.quotaUsage(by)),
  ]);
  return Object.assign({ admins }, ...usages);
}

/** Those of which little is left; null where nobody can say what the plan allows. */
export const nearlyFullQuotas = (tenant: TenantView | null, used: QuotaUsage): NearlyFullQuota[] | null =>
  tenant &&
  QUOTA_NAMES.flatMap((name) => {
    const use = quotaUse(name, tenant, used[name]);
    return use?.isNearlyFull ? [{ name, used: use.used, allowed: use.allowed }] : [];
  });
