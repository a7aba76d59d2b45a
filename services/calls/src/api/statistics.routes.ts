import { callStatistics, dataOf, dateField } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { z } from 'zod';
import { callStatisticsOf } from '../use-cases/call-statistics.ts';

/** How many calls there are, for those who run a business. `date`: the last day that counts, else the present one. */
export function statisticsRoutes(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  app.get(
    '/internal/tenants/:tenant_id/statistics/calls',
    {
      schema: {
        querystring: z.object({ date: dateField.optional() }),
        response: { 200: dataOf(callStatistics) },
      },
    },
    async ({ tenantId, query }) => {
      const { timezone } = await deps.tenants.find(tenantId);
      const today = query.date ? Temporal.PlainDate.from(query.date) : Temporal.Now.plainDateISO(timezone);
      return ok(await callStatisticsOf(deps.database.forTenant(tenantId), { timezone, today }));
    },
  );
}
