import { customerListEntry, dataOf } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import { z } from 'zod';
import type { AreaDeps } from '../area-deps.ts';
import { orNull } from '../clients/or-null.ts';
import { findCustomers } from '../customers/find-customers.ts';
import { noShowsText } from '../records/appointment-words.view.ts';
import { phoneText } from '../region/phone-text.rules.ts';
import { regionOf } from '../region/region.rules.ts';
import { wantsJson } from '../ui/accept.ts';

const found = customerListEntry
  .pick({ id: true, name: true, phone: true, email: true })
  .extend({ phone_text: z.string(), is_similar: z.boolean(), no_shows_text: z.string() })
  .array();
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
      const { session: by } = request;
      const [customers, tenant] = await Promise.all([
        findCustomers(deps, by, q),
        orNull(deps.gateway.tenant(by)),
      ]);
      const region = regionOf({ tenant });
      return ok(
        customers.map((customer) => ({
          ...customer,
          phone_text: phoneText(region, customer.phone),
          is_similar: customer.is_similar ?? false,
          no_shows_text: noShowsText(customer.no_shows),
        })),
      );
    },
  );
}
