import { appointmentSchema, dataOf, SNAPSHOT_PAGE, snapshotEntry, snapshotQuery } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok } from '@frontdesk/service';
import { z } from 'zod';
import { listAppointmentsAfter } from '../data/appointment.repository.ts';
import { appointmentRecord } from '../domain/appointment.ts';

const page = dataOf(z.array(snapshotEntry(appointmentSchema)));

/** The state of every appointment with its version, page by page: what an empty projection fills itself from. */
export function snapshotRoutes(app: App, deps: { database: Database }): void {
  app.get(
    '/internal/snapshots/appointments',
    { schema: { querystring: snapshotQuery, response: { 200: page } } },
    async (request) => {
      const { after_tenant, after_id } = request.query;
      const after = { tenantId: after_tenant, id: after_id };
      const rows = await listAppointmentsAfter(deps.database.system, after, SNAPSHOT_PAGE);
      return ok(
        rows.map((row) => ({
          tenant_id: row.tenant_id,
          aggregate_id: row.id,
          aggregate_version: row.version,
          data: appointmentRecord(row),
        })),
      );
    },
  );
}
