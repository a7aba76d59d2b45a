import { operations, pathTo, schedulingRoutes } from '@frontdesk/contracts';
import type { Database, QuotaGate } from '@frontdesk/database';
import { type App, clientGone, matching, notFound, ok, page, route, versioned } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { idempotent } from '@frontdesk/wiring';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CustomerLookup } from '../customers/crm.client.ts';
import { created } from '../services/named-records.ts';
import { findAppointment, listAppointments } from './appointment.repository.ts';
import { type AppointmentRow, appointmentRecord } from './appointment.rules.ts';
import { listAppointmentHistory } from './appointment-history.repository.ts';
import { actorOf, historyLine } from './appointment-history.rules.ts';
import { bookAppointment, quotaLeftOf, withCustomerOfCrm } from './book-appointment.ts';
import { changeAppointment } from './change-appointment.ts';

/** For integrators, or for those who run a business. */
type Routes = Pick<
  typeof operations | typeof schedulingRoutes,
  'listAppointments' | 'getAppointment' | 'createAppointment' | 'updateAppointment'
>;

export function appointmentListRoute(app: App, routes: Routes, { database }: { database: Database }): void {
  route(app, routes.listAppointments, async ({ query, tenantId }) => {
    const { rows, ...meta } = await listAppointments(database, tenantId, query);
    return page(rows.map(appointmentRecord), { ...query, ...meta });
  });
}

const show = (reply: FastifyReply, row: AppointmentRow) =>
  versioned(reply, row.version, appointmentRecord(row));

export function appointmentRoute(app: App, { database }: { database: Database }): void {
  route(app, operations.getAppointment, async (request, reply) => {
    const row = await findAppointment(database.forTenant(request.tenantId), request.params.id);
    if (row === null) throw notFound('Appointment');
    return show(reply, row);
  });
}

interface ChangeDeps {
  database: Database;
  tenants: TenantDirectory;
}

const changing =
  ({ database, tenants }: ChangeDeps) =>
  async (
    request: FastifyRequest,
    reply: FastifyReply,
    id: number,
    patch: Parameters<typeof changeAppointment>[2],
  ) => {
    const tenant = await tenants.find(request.tenantId);
    const scope = database.forTenant(request.tenantId);
    const row = await changeAppointment(scope, id, patch, {
      tenant,
      search: { scope, signal: clientGone(reply) },
      requireVersion: matching(request),
      by: actorOf(request.identity),
    });
    return show(reply, row);
  };

/** Booking, moving, cancelling. */
export function appointmentChangeRoutes(
  app: App,
  routes: Routes,
  deps: ChangeDeps & { customers: CustomerLookup; gate: QuotaGate },
): void {
  const { database, tenants, customers, gate } = deps;
  const change = changing(deps);

  route(app, routes.createAppointment, async (request, reply) => {
    const scope = database.forTenant(request.tenantId);
    const search = { scope, signal: clientGone(reply) };
    const by = actorOf(request.identity);
    return idempotent({ request, reply, scope }, async (transaction) => {
      const quotaLeft = await quotaLeftOf(scope, await tenants.find(request.tenantId), gate);
      const book = (inCrm?: number | null) =>
        transaction(async (tx) => {
          const row = await bookAppointment(tx, request.body, { quotaLeft, search, by, inCrm });
          const at = pathTo(routes.getAppointment, { tenant_id: request.tenantId, id: row.id });
          return created(at, row.version, appointmentRecord(row));
        });
      return withCustomerOfCrm(book, { scope, lookup: customers, customerId: request.body.customer_id });
    });
  });

  route(app, routes.updateAppointment, async (request, reply) =>
    change(request, reply, request.params.id, request.body),
  );
}

/** The same for a status alone, as integrators change it. */
export function appointmentStatusRoutes(app: App, deps: ChangeDeps): void {
  const change = changing(deps);

  route(app, operations.updateAppointmentStatus, async (request, reply) =>
    change(request, reply, request.params.id, request.body),
  );

  route(app, operations.cancelAppointment, async (request, reply) =>
    change(request, reply, request.params.id, { status: 'cancelled' }),
  );
}

/** Who has changed what about an appointment, for those who run the business. */
export function appointmentHistoryRoute(app: App, { database }: { database: Database }): void {
  route(app, schedulingRoutes.listAppointmentHistory, async ({ tenantId, params }) => {
    const rows = await listAppointmentHistory(database.forTenant(tenantId), params.id);
    if (rows.length === 0) throw notFound('Appointment');
    return ok(rows.map(historyLine));
  });
}
