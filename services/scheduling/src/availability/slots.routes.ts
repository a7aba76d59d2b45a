import type { operations, schedulingRoutes } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, clientGone, ok, route } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { findSlots } from './find-slots.ts';

/** Free slots, for integrators or for those who run a business. */
export function slotRoute(
  app: App,
  { listSlots }: Pick<typeof operations | typeof schedulingRoutes, 'listSlots'>,
  deps: { database: Database; tenants: TenantDirectory },
): void {
  route(app, listSlots, async ({ tenantId, query }, reply) => {
    const { timezone } = await deps.tenants.find(tenantId);
    const signal = clientGone(reply);
    return ok(await findSlots(deps.database.forTenant(tenantId), query, { timezone, signal }));
  });
}
