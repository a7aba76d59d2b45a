import { dataOf, deliveryStatistics } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok } from '@frontdesk/service';
import { deliveryStatisticsOf } from '../use-cases/delivery-statistics.ts';

/** How a tenant's deliveries fare, for those who run it. */
export function statisticsRoutes(app: App, { database }: { database: Database }): void {
  app.get(
    '/internal/tenants/:tenant_id/statistics/deliveries',
    { schema: { response: { 200: dataOf(deliveryStatistics) } } },
    async ({ tenantId }) => ok(await deliveryStatisticsOf(database.forTenant(tenantId), Date.now())),
  );
}
