import { schedulingRoutes } from '@frontdesk/contracts';
import type { Database, TenantReads } from '@frontdesk/database';
import { localDate } from '@frontdesk/local-time';
import { type App, isUnchanged, notFound, ok, route, versioned } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findNamedAppointment } from '../appointments/appointment.repository.ts';
import { appointmentAdminRecord } from '../appointments/appointment.rules.ts';
import { weekOf } from '../working-hours/day.rules.ts';
import { type Dates, etagOfDays, showDay, showDays } from './show-days.ts';

/** What the business's own people look at: a day or a week with all that happens on it, and one appointment of it. */
export function dayRoutes(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  const { database, tenants } = deps;

  const dateOf = ({ date }: { date: string }, timezone: string) =>
    date === 'today' ? localDate(Date.now(), timezone) : date;

  /** 304 while the days are as the client has seen them. */
  const show = async <Shown>({
    request,
    reply,
    datesOf,
    read,
  }: {
    request: FastifyRequest;
    reply: FastifyReply;
    datesOf: (date: string) => Dates;
    read: (db: TenantReads, dates: Dates, timezone: string) => Promise<Shown>;
  }) => {
    const { timezone } = await tenants.find(request.tenantId);
    const db = database.forTenant(request.tenantId);
    const dates = datesOf(dateOf(request.params as { date: string }, timezone));
    if (isUnchanged(request, reply, await etagOfDays(db, dates, timezone))) return reply.send();
    return ok(await read(db, dates, timezone));
  };

  route(app, schedulingRoutes.getDay, (request, reply) =>
    show({
      request,
      reply,
      datesOf: (date) => [date],
      read: (db, [date], zone) => showDay(db, date, zone),
    }),
  );

  route(app, schedulingRoutes.getWeek, (request, reply) =>
    show({ request, reply, datesOf: weekOf, read: showDays }),
  );

  route(app, schedulingRoutes.getAppointment, async ({ tenantId, params }, reply) => {
    const row = await findNamedAppointment(database.forTenant(tenantId), params.id);
    if (!row) throw notFound('Appointment');
    return versioned(reply, row.version, appointmentAdminRecord(row));
  });
}
