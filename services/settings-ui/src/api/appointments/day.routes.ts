import { appointmentAdminSchema, dataOf, daySchema, pathId } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import { dateIn, zoneOf } from '../../domain/dates.ts';
import { dayQuery } from '../../domain/day-query.ts';
import { loadDay } from '../../use-cases/load-day.ts';
import { orNull } from '../../use-cases/or-null.ts';
import { appointmentPage } from '../../views/appointments/appointment.view.ts';
import { dayPage } from '../../views/appointments/day.view.ts';
import { wantsJson } from '../shared/accept.ts';
import type { AreaDeps } from '../shared/area-deps.ts';

/** A day as everybody who works has it, and one appointment of it. */
export function dayRoutes(app: App, deps: AreaDeps): void {
  const { gateway, appointments, pages } = deps;

  app.get(
    '/settings/calendar',
    {
      config: { isExpensive: true, withoutQuery: 'Go to today' },
      schema: { querystring: dayQuery.loose(), response: { 200: dataOf(daySchema) } },
    },
    async (request, reply) => {
      const { tenantId } = request;
      const { date, cancelled } = dayQuery.parse(request.query);
      if (wantsJson(request)) return ok(await appointments.day(tenantId, date ?? 'today'));
      const loaded = await loadDay(deps, tenantId, date ?? 'today');
      const now = Date.now();
      const zone = loaded.day?.timezone ?? zoneOf(loaded);
      const today = dateIn(zone, now);
      const shown = {
        date: loaded.day?.date ?? date ?? today,
        today,
        ...{ showsCancelled: cancelled !== undefined, now },
      };
      return pages.send(reply, dayPage(pages.context(request), { ...loaded, ...shown }));
    },
  );

  app.get(
    '/settings/calendar/appointments/:id',
    {
      config: { resource: 'Appointment' },
      schema: { params: pathId, response: { 200: dataOf(appointmentAdminSchema) } },
    },
    async (request, reply) => {
      const { tenantId, params } = request;
      const [appointment, tenant] = await Promise.all([
        appointments.appointment(tenantId, params.id),
        orNull(gateway.tenant(tenantId)),
      ]);
      if (wantsJson(request)) return ok(appointment);
      const customers = await orNull(appointments.customers(tenantId, [appointment.customer_id]));
      const zone = tenant?.timezone ?? appointment.timezone;
      const page = { appointment, customer: customers?.[0] ?? null, zone };
      return pages.send(reply, appointmentPage(pages.context(request), page));
    },
  );
}
