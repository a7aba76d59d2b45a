import { type QuotaUsage, type QuotaUse, quotaRoutes } from '@frontdesk/contracts';
import type { App } from './app.ts';
import { ok } from './replies.ts';
import { route } from './route.ts';

/** How much a tenant uses of the quotas that a service decides. */
export function quotaUsageRoute(app: App, usageOf: (tenantId: number) => Promise<QuotaUsage>): void {
  route(app, quotaRoutes.getQuotaUsage, async ({ tenantId }) => ok(await usageOf(tenantId)));
}

/** The tenants that may be near one of these quotas, for operators alone. */
export function quotaUsesRoute(app: App, find: () => Promise<QuotaUse[]>): void {
  route(app, quotaRoutes.listQuotaUses, async () => ok(await find()));
}
