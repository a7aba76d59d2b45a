import { bookabilitySchema, dataOf } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { showBookability } from '../use-cases/show-bookability.ts';

/** Whether the services and the staff of a business can be booked, and if not, why. */
export function bookabilityRoutes(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  app.get(
    '/internal/tenants/:tenant_id/bookability',
    { schema: { response: { 200: dataOf(bookabilitySchema) } } },
    async ({ tenantId }) => {
      const { timezone } = await deps.tenants.find(tenantId);
      return ok(await showBookability(deps.database.forTenant(tenantId), timezone));
    },
  );
}
