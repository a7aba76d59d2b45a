import { appointmentIds, appointmentsByIdsBody, dataOf } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok } from '@frontdesk/service';
import { findKnownAppointments } from '../data/appointment.repository.ts';

/** Which of these ids are appointments of the tenant, in any status: for services that were given one by somebody else. */
export function knownAppointmentsRoute(app: App, { database }: { database: Database }): void {
  app.post(
    '/internal/tenants/:tenant_id/appointments/by-ids',
    { schema: { body: appointmentsByIdsBody, response: { 200: dataOf(appointmentIds) } } },
    async ({ body, tenantId }) => ok(await findKnownAppointments(database.forTenant(tenantId), body.ids)),
  );
}
