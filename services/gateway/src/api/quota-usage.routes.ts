import { dataOf, quotaUsageSchema } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok } from '@frontdesk/service';
import { countKeys } from '../data/api-key.repository.ts';

/** How much a tenant uses of the quotas that this service decides. */
export function quotaUsageRoutes(app: App, { database }: { database: Database }): void {
  app.get(
    '/internal/tenants/:tenant_id/quota-usage',
    { schema: { response: { 200: dataOf(quotaUsageSchema) } } },
    async ({ tenantId }) => ok({ api_keys: (await countKeys(database.forTenant(tenantId))).active }),
  );
}
