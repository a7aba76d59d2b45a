import { appointmentAdminSchema, dataOf, dayPath, daySchema, pathId } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { localDate } from '@frontdesk/local-time';
import { type App, notFound, ok, versioned } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { findNamedAppointment } from '../data/appointment.repository.ts';
import { appointmentAdminRecord } from '../domain/appointment.ts';
import { weekOf } from '../domain/day.ts';
import { showDay, showDays } from '../use-cases/show-days.ts';

const ofDay = { resource: 'Day' };
const ofWeek = { resource: 'Week' };
const ofAppointment = { resource: 'Appointment' };

/** What the business's own people look at: a day or a week with all that happens on it, and one appointment of it. */
export function dayRoutes(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  const { database, tenants } = deps;

  const dateOf = ({ date }: { date: string }, timezone: string) =>
    date === 'today' ? localDate(Date.now(), timezone) : date;

  app.get(
    '/internal/tenants/:tenant_id/days/:date',
    { config: ofDay, schema: { params: dayPath, response: { 200: dataOf(daySchema) } } },
    async ({ tenantId, params }) => {
      const { timezone } = await tenants.find(tenantId);
      return ok(await showDay(database.forTenant(tenantId), dateOf(params, timezone), timezone));
    },
  );

  app.get(
    '/internal/tenants/:tenant_id/weeks/:date',
    { config: ofWeek, schema: { params: dayPath, response: { 200: dataOf(daySchema.array()) } } },
    async ({ tenantId, params }) => {
      const { timezone } = await tenants.find(tenantId);
      const week = weekOf(dateOf(params, timezone));
      return ok(await showDays(database.forTenant(tenantId), week, timezone));
    },
  );

  app.get(
    '/internal/tenants/:tenant_id/appointments/:id',
    {
      config: ofAppointment,
      schema: { params: pathId.loose(), response: { 200: dataOf(appointmentAdminSchema) } },
    },
    async ({ tenantId, params }, reply) => {
      const row = await findNamedAppointment(database.forTenant(tenantId), params.id);
      if (!row) throw notFound(ofAppointment.resource);
      return versioned(reply, row.version, appointmentAdminRecord(row));
    },
  );
}
