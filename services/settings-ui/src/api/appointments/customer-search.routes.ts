import { customerListEntry, dataOf } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import { z } from 'zod';
import { findCustomers } from '../../use-cases/find-customers.ts';
import { wantsJson } from '../shared/accept.ts';
import type { AreaDeps } from '../shared/area-deps.ts';

const found = customerListEntry.pick({ id: true, name: true, phone: true, email: true }).array();
/** As long as the list's own search may be. */
const query = z.looseObject({ q: z.string().max(200).default('') });

/** Customers as they are found while somebody types; a browser that comes here gets the whole list. */
export function customerSearchRoutes(app: App, deps: AreaDeps): void {
  app.get(
    '/settings/customers/find',
    { schema: { querystring: query, response: { 200: dataOf(found) } } },
    async (request, reply) => {
      const { q } = request.query;
      if (!wantsJson(request))
        return reply.redirect(`/settings/customers?search=${encodeURIComponent(q)}`, 303);
      return ok(await findCustomers(deps, request.tenantId, q));
    },
  );
}
