import { dataOf, quotaUsageSchema } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok } from '@frontdesk/service';
import { countKeys } from '../data/api-key.repository.ts';

/** What a tenant has of the quotas that are decided here. */
export function quotaUsageRoutes(app: App, { database }: { database: Database }): void {
  app.get(
    '/internal/tenants/:tenant_id/quota-usage',
    { schema: { response: { 200: dataOf(quotaUsageSchema) } } },
    async ({ tenantId }) => ok({ api_keys: (await database.forTenant(tenantId).one(countKeys)).active }),
  );
}
