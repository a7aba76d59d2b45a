import { dataOf, quotaUsageSchema, quotaUse } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok } from '@frontdesk/service';
import { findQuotaUses } from '../data/quota-uses.repository.ts';
import { countServices } from '../data/service.repository.ts';
import { countStaff } from '../data/staff.repository.ts';

/** How much a tenant uses of the quotas that this service decides. */
export function quotaUsageRoutes(app: App, { database }: { database: Database }): void {
  app.get(
    '/internal/tenants/:tenant_id/quota-usage',
    { schema: { response: { 200: dataOf(quotaUsageSchema) } } },
    async ({ tenantId }) => {
      const scope = database.forTenant(tenantId);
      const [staff, services] = await Promise.all([countStaff(scope), countServices(scope)]);
      return ok({ staff: staff.active, services: services.active });
    },
  );
}

/** The tenants that may be near one of these quotas: for operators alone. */
export function quotaUsesRoutes(app: App, { database }: { database: Database }): void {
  app.get('/internal/quota-uses', { schema: { response: { 200: dataOf(quotaUse.array()) } } }, async () =>
    ok(await findQuotaUses(database.system)),
  );
}
