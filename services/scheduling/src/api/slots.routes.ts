import { dataOf, slotSchema, slotsQuery } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, clientGone, ok } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { z } from 'zod';
import { findSlots } from '../use-cases/find-slots.ts';

export function slotRoutes(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  app.get(
    '/api/v1/appointments/slots',
    { schema: { querystring: slotsQuery, response: { 200: dataOf(z.array(slotSchema)) } } },
    async ({ tenantId, query }, reply) => {
      const { timezone } = await deps.tenants.find(tenantId);
      const signal = clientGone(reply);
      return ok(await findSlots(deps.database.forTenant(tenantId), query, { timezone, signal }));
    },
  );
}
