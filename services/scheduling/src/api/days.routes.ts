import { appointmentAdminSchema, dataOf, dayPath, daySchema, pathId } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { localDate } from '@frontdesk/local-time';
import { type App, notFound, ok } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { findNamedAppointment } from '../data/appointment.repository.ts';
import { appointmentAdminRecord } from '../domain/appointment.ts';
import { showDay } from '../use-cases/show-day.ts';

const ofDay = { resource: 'Day' };
const ofAppointment = { resource: 'Appointment' };

/** What the business's own people look at: a day with all that happens on it, and one appointment of it. */
export function dayRoutes(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  const { database, tenants } = deps;

  app.get(
    '/internal/tenants/:tenant_id/days/:date',
    { config: ofDay, schema: { params: dayPath, response: { 200: dataOf(daySchema) } } },
    async ({ tenantId, params }) => {
      const { timezone } = await tenants.find(tenantId);
      const date = params.date === 'today' ? localDate(Date.now(), timezone) : params.date;
      return ok(await showDay(database.forTenant(tenantId), date, timezone));
    },
  );

  app.get(
    '/internal/tenants/:tenant_id/appointments/:id',
    {
      config: ofAppointment,
      schema: { params: pathId.loose(), response: { 200: dataOf(appointmentAdminSchema) } },
    },
    async ({ tenantId, params }) => {
      const row = await findNamedAppointment(database.forTenant(tenantId), params.id);
      if (!row) throw notFound(ofAppointment.resource);
      return ok(appointmentAdminRecord(row));
    },
  );
}
