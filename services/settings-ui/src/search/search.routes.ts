import { appointmentAdminSchema, callSchema, customerListEntry, dataOf } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import { z } from 'zod';
import type { AreaDeps } from '../area-deps.ts';
import { wantsJson } from '../ui/accept.ts';
import { SEARCH } from '../ui/navigation.rules.ts';
import { searchQuery } from './search.rules.ts';
import { search } from './search.ts';
import { searchPage } from './search.view.ts';

const namedRecords = z
  .array(z.object({ id: z.int(), name: z.string(), is_active: z.boolean(), is_similar: z.boolean() }))
  .nullable();

const found = z.object({
  pages: z.array(z.object({ href: z.string(), name: z.string() })),
  customers: z.array(customerListEntry).nullable(),
  similar_customers: z.array(customerListEntry),
  staff: namedRecords,
  services: namedRecords,
  appointment: appointmentAdminSchema.nullable(),
  call: callSchema.omit({ transcript: true }).nullable(),
});

/**
 * Any customer, staff member, service, appointment, call or page by a few letters or digits. The script that opens it
 * on every page takes over this page's results.
 */
export function searchRoutes(app: App, deps: AreaDeps): void {
  const { pages } = deps;
  app.get(
    SEARCH,
    {
      config: { isExpensive: true, withoutQuery: 'Search anew' },
      schema: { querystring: searchQuery.loose(), response: { 200: dataOf(found) } },
    },
    async (request, reply) => {
      const { q = '' } = searchQuery.parse(request.query);
      const result = await search(deps, request.session, q);
      if (!wantsJson(request)) return pages.send(reply, searchPage(pages.context(request), { ...result, q }));
      const { pages: named, customers, similar, staff, services, appointment, call } = result;
      return ok({
        pages: named,
        customers: customers?.map(({ customer }) => customer) ?? null,
        similar_customers: similar,
        staff,
        services,
        appointment,
        call,
      });
    },
  );
}
