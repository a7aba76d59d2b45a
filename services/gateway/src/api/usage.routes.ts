import { dataOf, usageSchema } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import type { Grant, SharedLimiter } from '@frontdesk/redis';
import { type App, AppError, notFound, ok } from '@frontdesk/service';
import { findTenant } from '../data/tenant.repository.ts';
import { PLAN_WINDOWS, subjectOf, usageOf } from '../domain/rate-limit.ts';

/** How much of its plan a tenant has used. Only the shared count knows that: without Redis there is no answer. */
export function usageRoutes(app: App, deps: { database: Database; shared: SharedLimiter }): void {
  app.get(
    '/internal/tenants/:tenant_id/usage',
    { schema: { response: { 200: dataOf(usageSchema) } } },
    async ({ tenantId }) => {
      const tenant = await findTenant(deps.database.forTenant(tenantId));
      if (!tenant) throw notFound('Tenant');
      const grant = await deps.shared
        .take(subjectOf(tenantId), PLAN_WINDOWS[tenant.plan], 0)
        .catch(unavailable);
      return ok(usageOf(tenant.plan, grant));
    },
  );
}

function unavailable(cause: unknown): Grant {
  throw new AppError('service_unavailable', 'The count of requests is not available.', { cause });
}
