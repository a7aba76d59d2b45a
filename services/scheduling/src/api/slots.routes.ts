import { dataOf, slotSchema, slotsQuery } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, clientGone, ok } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { z } from 'zod';
import { findSlots } from '../use-cases/find-slots.ts';

/** Free slots, for integrators or for those who run a business. */
export function slotRoute(
  app: App,
  path: string,
  deps: { database: Database; tenants: TenantDirectory },
): void {
  app.get(
    path,
    { schema: { querystring: slotsQuery, response: { 200: dataOf(z.array(slotSchema)) } } },
    async ({ tenantId, query }, reply) => {
      const { timezone } = await deps.tenants.find(tenantId);
      const signal = clientGone(reply);
      return ok(await findSlots(deps.database.forTenant(tenantId), query, { timezone, signal }));
    },
  );
}
