import { appointmentAdminSchema, callSchema, customerListEntry, dataOf } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import { z } from 'zod';
import { SEARCH, searchQuery } from '../../domain/search.ts';
import { search } from '../../use-cases/search.ts';
import { searchPage } from '../../views/search/search.view.ts';
import { wantsJson } from '../shared/accept.ts';
import type { AreaDeps } from '../shared/area-deps.ts';

const found = z.object({
  pages: z.array(z.object({ href: z.string(), name: z.string() })),
  customers: z.array(customerListEntry).nullable(),
  appointment: appointmentAdminSchema.nullable(),
  call: callSchema.omit({ transcript: true }).nullable(),
});

/** Any customer, appointment, call or page by a few letters or digits. The script that opens it on every page takes over this page's results. */
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
      const result = await search(deps, request.tenantId, q);
      if (!wantsJson(request)) return pages.send(reply, searchPage(pages.context(request), { ...result, q }));
      const { pages: named, customers, appointment, call } = result;
      return ok({
        pages: named,
        customers: customers?.map(({ customer }) => customer) ?? null,
        appointment,
        call,
      });
    },
  );
}
