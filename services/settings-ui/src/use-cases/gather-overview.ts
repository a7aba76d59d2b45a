import { QUOTA_NAMES, type QuotaUsage, type TenantView } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import type { Clients } from '../clients/clients.ts';
import { countAdmins } from '../data/admin-count.repository.ts';
import { CALL_BACK_DAYS } from '../domain/calls/call-backs.ts';
import type { Overview } from '../domain/overview/business-overview.ts';
import { isNearlyFull, type QuotaUse, quotaUse } from '../domain/quota-use.ts';
import { loadFirstSteps } from './load-set-up.ts';
import { orNull } from './or-null.ts';

type OverviewDeps = Clients & { database: Database };

/** How a business does, asked for at all services side by side; then what needs somebody, of the services that answered. */
export async function gatherOverview(deps: OverviewDeps, tenantId: number): Promise<Overview> {
  const { gateway, scheduling, statistics, webhooks, calls } = deps;
  const [tenant, appointments, bookability, ofCalls, callBacks, deliveries, requests, usage, endpoints] =
    await Promise.all([
      orNull(gateway.tenant(tenantId)),
      orNull(statistics.appointments(tenantId)),
      orNull(scheduling.bookability(tenantId)),
      orNull(statistics.calls(tenantId)),
      orNull(calls.callBacks(tenantId, { days: CALL_BACK_DAYS, open: 1, done: 0 })),
      orNull(statistics.deliveries(tenantId)),
      orNull(statistics.requests(tenantId)),
      orNull(gateway.usage(tenantId)),
      orNull(webhooks.endpoints(tenantId)),
    ]);
  const answered = { gateway: tenant, scheduling: bookability, calls: ofCalls };
  const [quotas, first_steps] = await Promise.all([
    tenant && quotasNearEnd(deps, tenantId, tenant, answered),
    loadFirstSteps(deps, tenantId, { appointments, bookability }),
  ]);
  return {
    ...{ tenant, appointments, bookability, calls: ofCalls, deliveries, requests, usage, endpoints },
    ...{ to_call_back: callBacks?.open_total ?? null, quotas, first_steps },
  };
}

type Owner = 'gateway' | 'scheduling' | 'calls';

/** Quotas of which little is left. What a service that is away decides is not among them. */
async function quotasNearEnd(
  { database, ...clients }: OverviewDeps,
  tenantId: number,
  tenant: TenantView,
  answered: Readonly<Record<Owner, object | null>>,
): Promise<QuotaUse[]> {
  const usageOf = (owner: Owner): Promise<QuotaUsage | null> =>
    answered[owner] ? orNull(clients[owner].quotaUsage(tenantId)) : Promise.resolve(null);
  const [admins, ...usages] = await Promise.all([
    countAdmins(database.forTenant(tenantId)),
    usageOf('gateway'),
    usageOf('scheduling'),
    usageOf('calls'),
  ]);
  const used: QuotaUsage = Object.assign({ admins }, ...usages);
  return QUOTA_NAMES.map((name) => quotaUse(name, tenant, used[name])).filter(
    (use): use is QuotaUse => use !== null && isNearlyFull(use),
  );
}
