import { dataOf, requestStatistics, STATISTICS_HOURS } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, AppError, notFound, ok } from '@frontdesk/service';
import { hourOf, type RequestCounts, startOfHour } from '../clients/request-counts.ts';
import { findTenant } from '../data/tenant.repository.ts';

export interface StatisticsRoutesDeps {
  database: Database;
  counts: RequestCounts;
  /** Adds what this gateway alone has counted so far. */
  flush: () => Promise<void>;
}

/** What a tenant's keys asked for in the last hours. Without Redis there is no answer. */
export function statisticsRoutes(app: App, deps: StatisticsRoutesDeps): void {
  app.get(
    '/internal/tenants/:tenant_id/statistics/requests',
    { schema: { response: { 200: dataOf(requestStatistics) } } },
    async ({ tenantId }) => {
      const tenant = await findTenant(deps.database.forTenant(tenantId));
      if (!tenant) throw notFound('Tenant');
      const last = hourOf(Date.now());
      const hours = Array.from(
        { length: STATISTICS_HOURS },
        (_, index) => last - STATISTICS_HOURS + 1 + index,
      );
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
    },
  );
}

function unavailable(cause: unknown): never {
  throw new AppError('service_unavailable', 'The count of requests is not available.', { cause });
}
