import { dataOf, leastNear, MAX_QUOTA_USES, quotaUsageSchema, quotaUse } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok } from '@frontdesk/service';
import { countKeys, findTenantsByKeys } from '../data/api-key.repository.ts';

/** How much a tenant uses of the quotas that this service decides. */
export function quotaUsageRoutes(app: App, { database }: { database: Database }): void {
  app.get(
    '/internal/tenants/:tenant_id/quota-usage',
    { schema: { response: { 200: dataOf(quotaUsageSchema) } } },
    async ({ tenantId }) => ok({ api_keys: (await countKeys(database.forTenant(tenantId))).active }),
  );
}

/** The tenants that may be near one of these quotas: for operators alone. */
export function quotaUsesRoutes(app: App, { database }: { database: Database }): void {
  app.get('/internal/quota-uses', { schema: { response: { 200: dataOf(quotaUse.array()) } } }, async () =>
    ok(await findTenantsByKeys(database.system, leastNear('api_keys'), MAX_QUOTA_USES)),
  );
}
