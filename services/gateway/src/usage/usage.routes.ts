import { gatewayRoutes } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import type { RateWindow, SharedLimiter } from '@frontdesk/redis';
import { type App, AppError, notFound, ok, route } from '@frontdesk/service';
import { subjectOf, usageOf, windowsOf } from '../limits/rate-limit.rules.ts';
import { findTenant } from '../tenants/tenant.repository.ts';

/** How much of its plan a tenant has used. Only the shared count knows that: without Redis the answer is 503. */
export function usageRoutes(app: App, deps: { database: Database; shared: SharedLimiter }): void {
  route(app, gatewayRoutes.getUsage, async ({ tenantId }) => {
    const tenant = await findTenant(deps.database.forTenant(tenantId));
    if (!tenant) throw notFound('Tenant');
    const [minute, day] = windowsOf(tenant.plan);
    const read = (window: RateWindow) => deps.shared.read(subjectOf(tenantId), window);
    const counted = await Promise.all([read(minute), read(day)]).catch(unavailable);
    return ok(usageOf(tenant.plan, counted));
  });
}

function unavailable(cause: unknown): never {
  throw new AppError('service_unavailable', 'The count of requests is not available.', { cause });
}
