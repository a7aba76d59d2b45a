import { appointmentSchema, dataOf, pathId, type UpdateAppointment } from '@frontdesk/contracts';
import type { App, AppError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { APPOINTMENT, appointmentAddress } from '../../domain/appointments/appointment-address.ts';
import {
  type MoveBody,
  type MoveQuery,
  moveBody,
  movedAddress,
  movedTo,
  moveQuery,
} from '../../domain/appointments/moved-start.ts';
import { loadMove } from '../../use-cases/load-move.ts';
import { movePage } from '../../views/appointments/move.view.ts';
import { EMPTY_FORM, textOf } from '../../views/shared/page-context.ts';
import type { AreaDeps } from '../shared/area-deps.ts';
import { answerChange } from '../shared/changes.ts';
import { refusalOf, refusedForm } from '../shared/refusals.ts';

const resource = 'Appointment';
const isOfTime = /^(appointment_(date|time)|starts_at)$/;
const fieldOf = (name: string): string => (isOfTime.test(name) ? 'starts_at' : name);

/** Another time or another staff member for an appointment, also for one that comes back. */
export function moveRoutes(app: App, deps: AreaDeps): void {
  const { gateway, appointments, changes, pages } = deps;

  const show = async (request: FastifyRequest, reply: FastifyReply, error: AppError | null = null) => {
    const { tenantId, params, query } = request;
    const { id } = params as { id: number };
    // A refused form is shown with whose times it asked for: the alternatives are theirs.
    const asked = error ? (moveQuery.safeParse(request.sent).data ?? {}) : (query as MoveQuery);
    const loaded = await loadMove(deps, tenantId, id, asked);
    const form = error ? refusedForm(request, error, ['starts_at'], fieldOf) : EMPTY_FORM;
    const refusal = error?.code === 'precondition_failed' ? refusalOf(error) : form.message;
    const { alternatives = [] } = (error?.data ?? {}) as { alternatives?: [] };
    // A refused form keeps the version that was seen, until its page says that somebody else was faster.
    const etag = (error?.code !== 'precondition_failed' && textOf(form, 'version')) || loaded.etag;
    const page = { ...loaded, etag, form: { ...form, message: refusal }, alternatives };
    return pages.send(reply, movePage(pages.context(request), page));
  };

  app.get(
    `${APPOINTMENT}/move`,
    {
      config: { resource, isExpensive: true, withoutQuery: 'Show all free times' },
      schema: { params: pathId, querystring: moveQuery },
    },
    (request, reply) => show(request, reply),
  );

  /** What the body asks for, on the business's clocks. */
  const wantedBy = async ({ tenantId }: FastifyRequest, body: MoveBody) => {
    const tenant = await gateway.tenant(tenantId);
    return movedTo(body, tenant.timezone);
  };
  const change = async (
    request: FastifyRequest,
    action: 'appointment_moved' | 'appointment_reactivated',
    patch: UpdateAppointment,
  ) => {
    const { tenantId } = request;
    const { id } = request.params as { id: number };
    const { version } = request.body as MoveBody;
    const { record } = await appointments.appointment(tenantId, id);
    const from = `${record.appointment_date} ${record.appointment_time}`;
    const change = {
      ...{ action, subject: `Appointment ${id}, ${from}` },
      subjectOf: (moved: { appointment_date: string; appointment_time: string }) =>
        `Appointment ${id}, ${[...new Set([from, `${moved.appointment_date} ${moved.appointment_time}`])].join(' → ')}`,
    };
    const data = await changes.make(request, change, () => appointments.change(tenantId, id, patch, version));
    return { before: record, data };
  };
  const route = { params: pathId, body: moveBody, response: { 200: dataOf(appointmentSchema) } };

  app.post(
    `${APPOINTMENT}/move`,
    { schema: route, config: { resource, failurePage: show } },
    async (request, reply) => {
      const patch = await wantedBy(request, request.body);
      const { before, data } = await change(request, 'appointment_moved', patch);
      const to = movedAddress(appointmentAddress(data.id), before, data);
      return answerChange(request, reply, { data, notice: null, to });
    },
  );

  app.post(
    `${APPOINTMENT}/reactivate`,
    { schema: route, config: { resource, failurePage: show } },
    async (request, reply) => {
      const { body } = request;
      const moved = body.starts_at ? await wantedBy(request, body) : {};
      const { data } = await change(request, 'appointment_reactivated', { ...moved, status: 'scheduled' });
      return answerChange(request, reply, {
        data,
        notice: 'appointment-reactivated',
        to: appointmentAddress(data.id),
      });
    },
  );
}
