import { failingEndpoint, pageOf, pageQuery } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, page } from '@frontdesk/service';
import { listFailingEndpoints } from '../data/failing-endpoint.repository.ts';

/** The endpoints that need somebody, of all tenants: for operators alone. */
export function failingEndpointRoutes(app: App, { database }: { database: Database }): void {
  app.get(
    '/internal/failing-endpoints',
    { schema: { querystring: pageQuery, response: { 200: pageOf(failingEndpoint) } } },
    async ({ query }) => {
      const { rows, total } = await listFailingEndpoints(database.system, query);
      const records = rows.map(({ is_active, failing_since, ...row }) => ({
        ...row,
        state: is_active ? ('failing' as const) : ('disabled' as const),
        failing_since: failing_since?.toISOString() ?? null,
      }));
      return page(records, { ...query, total });
    },
  );
}
