import { gatewayRoutes, STATISTICS_HOURS } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, AppError, notFound, ok, route } from '@frontdesk/service';
import { findTenant } from '../tenants/tenant.repository.ts';
import { hourOf, type RequestCounts, startOfHour } from './request-counts.client.ts';

export interface StatisticsRoutesDeps {
  database: Database;
  counts: RequestCounts;
  /** Adds the counts of this gateway to those in Redis. */
  flush: () => Promise<void>;
}

/** Requests with a tenant's keys in the last hours. Without Redis the answer is 503. */
export function statisticsRoutes(app: App, deps: StatisticsRoutesDeps): void {
  route(app, gatewayRoutes.getRequestStatistics, async ({ tenantId }) => {
    const tenant = await findTenant(deps.database.forTenant(tenantId));
    if (!tenant) throw notFound('Tenant');
    const last = hourOf(Date.now());
    const hours = Array.from({ length: STATISTICS_HOURS }, (_, index) => last - STATISTICS_HOURS + 1 + index);
    const counts = await deps
      .flush()
      .then(() => deps.counts.read(tenantId, hours))
      .catch(unavailable);
    return ok({
      plan: tenant.plan,
      hours: hours.map((hour, index) => ({
        starts_at: startOfHour(hour),
        ...(counts[index] ?? { allowed: 0, denied: 0 }),
      })),
    });
  });
}

function unavailable(cause: unknown): never {
  throw new AppError('service_unavailable', 'The count of requests is not available.', { cause });
}
