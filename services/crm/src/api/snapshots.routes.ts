import { customerListEntry, dataOf, SNAPSHOT_PAGE, snapshotEntry, snapshotQuery } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok } from '@frontdesk/service';
import { z } from 'zod';
import { listCustomersAfter } from '../data/customer.repository.ts';
import { customerListRecord } from '../domain/customer.ts';

const page = dataOf(z.array(snapshotEntry(customerListEntry)));

/** The state of every customer with its version, page by page: what an empty projection fills itself from. */
export function snapshotRoutes(app: App, deps: { database: Database }): void {
  app.get(
    '/internal/snapshots/customers',
    { schema: { querystring: snapshotQuery, response: { 200: page } } },
    async (request) => {
      const { after_tenant, after_id } = request.query;
      const after = { tenantId: after_tenant, id: after_id };
      const rows = await listCustomersAfter(deps.database.system, after, SNAPSHOT_PAGE);
      return ok(
        rows.map((row) => ({
          tenant_id: row.tenant_id,
          aggregate_id: row.id,
          aggregate_version: row.sequence,
          data: customerListRecord(row),
        })),
      );
    },
  );
}
