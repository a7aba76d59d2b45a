import { dataOf, type QuotaUsage, type QuotaUse, quotaUsageSchema, quotaUse } from '@frontdesk/contracts';
import type { App } from './app.ts';
import { ok } from './replies.ts';

/** How much a tenant uses of the quotas that a service decides. */
export function quotaUsageRoute(app: App, usageOf: (tenantId: number) => Promise<QuotaUsage>): void {
  app.get(
    '/internal/tenants/:tenant_id/quota-usage',
    { schema: { response: { 200: dataOf(quotaUsageSchema) } } },
    async ({ tenantId }) => ok(await usageOf(tenantId)),
  );
}

/** The tenants that may be near one of these quotas, for operators alone. */
export function quotaUsesRoute(app: App, find: () => Promise<QuotaUse[]>): void {
  app.get('/internal/quota-uses', { schema: { response: { 200: dataOf(quotaUse.array()) } } }, async () =>
    ok(await find()),
  );
}
