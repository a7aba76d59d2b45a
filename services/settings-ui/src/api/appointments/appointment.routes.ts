import { appointmentAdminSchema, appointmentSchema, dataOf, pathId } from '@frontdesk/contracts';
import { type App, type AppError, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { APPOINTMENT, appointmentAddress } from '../../domain/appointments/appointment-address.ts';
import { moveMadeQuery } from '../../domain/appointments/moved-start.ts';
import { regionOf } from '../../domain/shared/region.ts';
import { orNull } from '../../use-cases/or-null.ts';
import { appointmentPage } from '../../views/appointments/appointment.view.ts';
import { plainBody } from '../business/business-forms.ts';
import { wantsJson } from '../shared/accept.ts';
import type { AreaDeps } from '../shared/area-deps.ts';
import { recordChanges } from '../shared/record-changes.ts';
import { refusalOf } from '../shared/refusals.ts';

const resource = 'Appointment';

/** Changes of an appointment's status that need nothing entered. */
const ENDINGS = [
  { verb: 'cancel', status: 'cancelled', action: 'appointment_cancelled', notice: 'appointment-cancelled' },
  { verb: 'complete', status: 'completed', action: 'appointment_completed', notice: 'appointment-completed' },
  { verb: 'no-show', status: 'no_show', action: 'appointment_no_show', notice: 'appointment-no-show' },
] as const;

/** One appointment, and how it ends. */
export function appointmentRoutes(
  app: App,
  { gateway, appointments, customers, changes, pages }: AreaDeps,
): void {
  const show = async (request: FastifyRequest, reply: FastifyReply, error: AppError | null = null) => {
    const { tenantId, query, params } = request;
    const { id } = params as { id: number };
    const [{ record: appointment, etag }, tenant] = await Promise.all([
      appointments.appointment(tenantId, id),
      orNull(gateway.tenant(tenantId)),
    ]);
    const named = await orNull(customers.byIds(tenantId, [appointment.customer_id]));
    const shown = {
      ...{ appointment, etag, customer: named?.[0] ?? null, now: Date.now() },
      region: regionOf({ tenant }, tenant?.timezone ?? appointment.timezone),
      moveMade: moveMadeQuery.parse(query),
      refusal: error ? refusalOf(error) : undefined,
    };
    return pages.send(reply, appointmentPage(pages.context(request), shown));
  };

  app.get(
    APPOINTMENT,
    {
      config: { resource },
      schema: { params: pathId, response: { 200: dataOf(appointmentAdminSchema) } },
    },
    async (request, reply) => {
      if (!wantsJson(request)) return show(request, reply);
      const { record, etag } = await appointments.appointment(request.tenantId, request.params.id);
      return reply.header('etag', etag).send(ok(record));
    },
  );

  const { post } = recordChanges(app, {
    ...{ changes, single: APPOINTMENT },
    config: { resource, failurePage: show },
    subjectOf: async (tenantId, id) => {
      const { record } = await appointments.appointment(tenantId, id);
      return `Appointment ${id}, ${record.appointment_date} ${record.appointment_time}`;
    },
  });
  for (const { status, ...ending } of ENDINGS)
    post({
      ...{ ...ending, schema: appointmentSchema, body: plainBody, to: appointmentAddress },
      work: ({ tenantId, body }, id) =>
        appointments.change(tenantId, id, { status }, (body as { version?: string }).version),
    });
}
