import { appointmentAdminSchema, dataOf, daySchema, pathId } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import { calendarQuery } from '../domain/calendar-query.ts';
import { dateIn, zoneOf } from '../domain/dates.ts';
import { type CalendarClients, loadDay } from '../use-cases/load-day.ts';
import { orNull } from '../use-cases/or-null.ts';
import { appointmentPage } from '../views/appointment.view.ts';
import { calendarPage } from '../views/calendar.view.ts';
import { wantsJson } from './accept.ts';
import type { Pages } from './pages.ts';

/** A day as everybody who works has it, and one appointment of it. */
export function calendarRoutes(app: App, deps: CalendarClients & { pages: Pages }): void {
  const { gateway, calendar, pages } = deps;

  app.get(
    '/settings/calendar',
    { schema: { querystring: calendarQuery.loose(), response: { 200: dataOf(daySchema) } } },
    async (request, reply) => {
      const { tenantId } = request;
      const { date, cancelled } = calendarQuery.parse(request.query);
      if (wantsJson(request)) return ok(await calendar.day(tenantId, date ?? 'today'));
      const loaded = await loadDay(deps, tenantId, date ?? 'today');
      const now = Date.now();
      const zone = loaded.day?.timezone ?? zoneOf(loaded);
      const today = dateIn(zone, now);
      const shown = {
        date: loaded.day?.date ?? date ?? today,
        today,
        ...{ showsCancelled: cancelled !== undefined, now },
      };
      return pages.send(reply, calendarPage(pages.context(request), { ...loaded, ...shown }));
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
        calendar.appointment(tenantId, params.id),
        orNull(gateway.tenant(tenantId)),
      ]);
      if (wantsJson(request)) return ok(appointment);
      const customers = await orNull(calendar.customers(tenantId, [appointment.customer_id]));
      const zone = tenant?.timezone ?? appointment.timezone;
      const page = { appointment, customer: customers?.[0] ?? null, zone };
      return pages.send(reply, appointmentPage(pages.context(request), page));
    },
  );
}
