import { SNAPSHOT_PAGE, schedulingRoutes } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok, route } from '@frontdesk/service';
import { findKnownAppointments, listAppointmentsAfter } from './appointment.repository.ts';
import { appointmentRecord } from './appointment.rules.ts';

/** The state of every appointment with its version, page by page: what an empty projection fills itself from. */
export function snapshotRoutes(app: App, deps: { database: Database }): void {
  route(app, schedulingRoutes.listSnapshot, async (request) => {
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
  });
}

/** Which of these ids are appointments of the tenant, in any status: for services that were given one by somebody else. */
export function knownAppointmentsRoute(app: App, { database }: { database: Database }): void {
  route(app, schedulingRoutes.listKnownAppointments, async ({ body, tenantId }) =>
    ok(await findKnownAppointments(database.forTenant(tenantId), body.ids)),
  );
}
