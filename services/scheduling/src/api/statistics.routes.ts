import { appointmentStatistics, bookableDate, dataOf } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { localDate } from '@frontdesk/local-time';
import { type App, ok } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { z } from 'zod';
import { appointmentStatisticsOf } from '../use-cases/appointment-statistics.ts';

/** How a business's day looks, for those who run it. `date`: the day that is meant, else the present one. */
export function statisticsRoutes(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  app.get(
    '/internal/tenants/:tenant_id/statistics/appointments',
    {
      schema: {
        querystring: z.object({ date: bookableDate.optional() }),
        response: { 200: dataOf(appointmentStatistics) },
      },
    },
    async ({ tenantId, query }) => {
      const { timezone } = await deps.tenants.find(tenantId);
      const now = Date.now();
      const date = query.date ?? localDate(now, timezone);
      return ok(await appointmentStatisticsOf(deps.database.forTenant(tenantId), { timezone, date, now }));
    },
  );
}
