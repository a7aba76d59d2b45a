import { appointmentAdminSchema, dataOf, dayPath, daySchema, pathId } from '@frontdesk/contracts';
import type { Database, TenantReads } from '@frontdesk/database';
import { localDate } from '@frontdesk/local-time';
import { type App, isUnchanged, notFound, ok, versioned } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findNamedAppointment } from '../data/appointment.repository.ts';
import { appointmentAdminRecord } from '../domain/appointment.ts';
import { weekOf } from '../domain/day.ts';
import { type Dates, etagOfDays, showDay, showDays } from '../use-cases/show-days.ts';

const ofDay = { resource: 'Day' };
const ofWeek = { resource: 'Week' };
const ofAppointment = { resource: 'Appointment' };

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

  app.get(
    '/internal/tenants/:tenant_id/days/:date',
    { config: ofDay, schema: { params: dayPath, response: { 200: dataOf(daySchema) } } },
    (request, reply) =>
      show({
        request,
        reply,
        datesOf: (date) => [date],
        read: (db, [date], zone) => showDay(db, date, zone),
      }),
  );

  app.get(
    '/internal/tenants/:tenant_id/weeks/:date',
    { config: ofWeek, schema: { params: dayPath, response: { 200: dataOf(daySchema.array()) } } },
    (request, reply) => show({ request, reply, datesOf: weekOf, read: showDays }),
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
