import { dataOf, quotaUsageSchema } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok } from '@frontdesk/service';
import { serviceRecords } from '../data/service-admin.repository.ts';
import { staffRecords } from '../data/staff-admin.repository.ts';

/** How much a tenant uses of the quotas that this service decides. */
export function quotaUsageRoutes(app: App, { database }: { database: Database }): void {
  app.get(
    '/internal/tenants/:tenant_id/quota-usage',
    { schema: { response: { 200: dataOf(quotaUsageSchema) } } },
    async ({ tenantId }) => {
      const scope = database.forTenant(tenantId);
      const [staff, services] = await Promise.all([staffRecords.count(scope), serviceRecords.count(scope)]);
      return ok({ staff: staff.active, services: services.active });
    },
  );
}
