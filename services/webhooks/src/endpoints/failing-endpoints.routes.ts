import { webhooksRoutes } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, page, route } from '@frontdesk/service';
import { listFailingEndpoints } from './health.repository.ts';

/** The endpoints that need somebody, of all tenants: for operators alone. */
export function failingEndpointRoutes(app: App, { database }: { database: Database }): void {
  route(app, webhooksRoutes.listFailingEndpoints, async ({ query }) => {
    const { rows, total } = await listFailingEndpoints(database.system, query);
    const records = rows.map(({ is_active, failing_since, ...row }) => ({
      ...row,
      state: is_active ? ('failing' as const) : ('disabled' as const),
      failing_since: failing_since?.toISOString() ?? null,
    }));
    return page(records, { ...query, total });
  });
}
