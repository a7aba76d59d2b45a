import { idempotent } from '@frontdesk/chassis';
import {
  appointmentSchema,
  createAppointmentBody,
  dataOf,
  type listAppointmentsAdminQuery,
  listAppointmentsQuery,
  pageOf,
  pathId,
  updateAppointmentBody,
  updateStatusBody,
} from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, clientGone, matching, notFound, page, versioned } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CustomerLookup } from '../clients/crm.client.ts';
import { findAppointment } from '../data/appointment.repository.ts';
import { listAppointments } from '../data/appointment-list.repository.ts';
import { type AppointmentRow, appointmentRecord } from '../domain/appointment.ts';
import { askForCustomer } from '../use-cases/ask-for-customer.ts';
import { bookAppointment, CustomerNotKnown } from '../use-cases/book-appointment.ts';
import { changeAppointment } from '../use-cases/change-appointment.ts';
import { created } from './created.ts';

const single = { params: pathId.loose(), response: { 200: dataOf(appointmentSchema) } };
const config = { resource: 'Appointment' };

interface ListDeps {
  database: Database;
  /** What may be asked for. */
  querystring?: typeof listAppointmentsQuery | typeof listAppointmentsAdminQuery;
}

/** The list, for integrators or for those who run a business. */
export function appointmentListRoute(
  app: App,
  path: string,
  { database, querystring = listAppointmentsQuery }: ListDeps,
): void {
  app.get(
    path,
    { schema: { querystring, response: { 200: pageOf(appointmentSchema) } } },
    async ({ query, tenantId }) => {
      const { rows, ...meta } = await listAppointments(database, tenantId, query);
      return page(rows.map(appointmentRecord), { ...query, ...meta });
    },
  );
}

const show = (reply: FastifyReply, row: AppointmentRow) =>
  versioned(reply, row.version, appointmentRecord(row));

export function appointmentRoute(app: App, path: string, { database }: { database: Database }): void {
  app.get(path, { config, schema: single }, async (request, reply) => {
    const row = await findAppointment(database.forTenant(request.tenantId), request.params.id);
    if (row === null) throw notFound('Appointment');
    return show(reply, row);
  });
}

/** Booking, moving, cancelling, for the same as the list. */
export function appointmentChangeRoutes(
  app: App,
  list: string,
  deps: { database: Database; tenants: TenantDirectory; customers: CustomerLookup },
): void {
  const { database, tenants, customers } = deps;

  const change = async (
    request: FastifyRequest,
    reply: FastifyReply,
    id: number,
    patch: Parameters<typeof changeAppointment>[2],
  ) => {
    const { timezone } = await tenants.find(request.tenantId);
    const scope = database.forTenant(request.tenantId);
    const row = await changeAppointment(scope, id, patch, {
      timezone,
      search: { scope, signal: clientGone(reply) },
      requireVersion: matching(request),
    });
    return show(reply, row);
  };

  app.post(
    list,
    { schema: { body: createAppointmentBody, response: { 201: dataOf(appointmentSchema) } } },
    async (request, reply) => {
      const scope = database.forTenant(request.tenantId);
      const search = { scope, signal: clientGone(reply) };
      return idempotent({ request, reply, scope }, async (transaction) => {
        const { timezone } = await tenants.find(request.tenantId);
        const book = (isInCrm?: boolean) =>
          transaction(async (tx) => {
            const row = await bookAppointment(tx, request.body, { timezone, search, isInCrm });
            return created('/api/v1/appointments', row.version, appointmentRecord(row));
          });
        return book().catch(async (error: unknown) => {
          if (!(error instanceof CustomerNotKnown)) throw error;
          return book(await askForCustomer(scope, customers, request.body.customer_id));
        });
      });
    },
  );

  app.patch(
    `${list}/:id`,
    { config, schema: { ...single, body: updateAppointmentBody } },
    async (request, reply) => change(request, reply, request.params.id, request.body),
  );

  app.patch(
    `${list}/:id/status`,
    { config, schema: { ...single, body: updateStatusBody } },
    async (request, reply) => change(request, reply, request.params.id, request.body),
  );

  app.delete(`${list}/:id`, { config, schema: single }, async (request, reply) =>
    change(request, reply, request.params.id, { status: 'cancelled' }),
  );
}
