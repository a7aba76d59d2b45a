import { appointmentSchema, dataOf, pathId, type Slot, type UpdateAppointment } from '@frontdesk/contracts';
import type { App, AppError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AreaDeps } from '../area-deps.ts';
import { answerChange } from '../changes/changes.ts';
import { APPOINTMENT, appointmentAddress } from '../records/addresses.rules.ts';
import { errorText, formWithErrors } from '../ui/form-errors.ts';
import { leadsToToday, TODAY } from '../ui/navigation.rules.ts';
import { EMPTY_FORM, textOf } from '../ui/page-context.ts';
import { loadMove } from './load-move.ts';
import { movePage } from './move.view.ts';
import {
  isWhereItIs,
  type MoveBody,
  type MoveQuery,
  moveBody,
  movedAddress,
  movedTo,
  moveQuery,
} from './moved-start.rules.ts';

const resource = 'Appointment';
const isOfTime = /^(appointment_(date|time)|starts_at)$/;
const fieldOf = (name: string): string => (isOfTime.test(name) ? 'starts_at' : name);

/** Another time or another staff member for an appointment, also for one that comes back. */
export function moveRoutes(app: App, deps: AreaDeps): void {
  const { gateway, appointments, changes, pages } = deps;

  const show = async (request: FastifyRequest, reply: FastifyReply, error: AppError | null = null) => {
    const { session: by, params, query } = request;
    const { id } = params as { id: number };
    // A refused form is shown with whose times it asked for: the alternatives are theirs.
    const asked = error ? (moveQuery.safeParse(request.sent).data ?? {}) : (query as MoveQuery);
    const loaded = await loadMove(deps, by, id, asked);
    const form = error ? formWithErrors(request, error, ['starts_at'], fieldOf) : EMPTY_FORM;
    const refusal = error?.code === 'precondition_failed' ? errorText(error) : form.message;
    const { alternatives: near = [] } = (error?.data ?? {}) as { alternatives?: Slot[] };
    const alternatives = near.filter((slot) => !isWhereItIs(loaded.appointment, slot, loaded.chosen));
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
  const wantedBy = async ({ session: by }: FastifyRequest, body: MoveBody) => {
    const tenant = await gateway.tenant(by);
    return movedTo(body, tenant.timezone);
  };
  const change = async (
    request: FastifyRequest,
    action: 'appointment_moved' | 'appointment_reactivated',
    patch: UpdateAppointment,
  ) => {
    const { session: by } = request;
    const { id } = request.params as { id: number };
    const { version } = request.body as MoveBody;
    const { record } = await appointments.appointment(by, id);
    const from = `${record.appointment_date} ${record.appointment_time}`;
    const change = {
      action,
      subject: `Appointment ${id}, ${from}`,
      record: id,
      subjectOf: (moved: { appointment_date: string; appointment_time: string }) =>
        `Appointment ${id}, ${[...new Set([from, `${moved.appointment_date} ${moved.appointment_time}`])].join(' → ')}`,
    };
    const data = await changes.make(request, change, () =>
      appointments.change(request.session, id, patch, version),
    );
    return { before: record, data };
  };
  const route = { params: pathId, body: moveBody, response: { 200: dataOf(appointmentSchema) } };

  app.post(
    `${APPOINTMENT}/move`,
    { schema: route, config: { resource, errorPage: show } },
    async (request, reply) => {
      const patch = await wantedBy(request, request.body);
      const { before, data } = await change(request, 'appointment_moved', patch);
      const to = movedAddress(appointmentAddress(data.id), before, data);
      return answerChange(request, reply, { data, notice: null, to });
    },
  );

  app.post(
    `${APPOINTMENT}/reactivate`,
    { schema: route, config: { resource, errorPage: show } },
    async (request, reply) => {
      const { body } = request;
      const moved = body.starts_at ? await wantedBy(request, body) : {};
      const { data } = await change(request, 'appointment_reactivated', { ...moved, status: 'scheduled' });
      const to = leadsToToday(request.sent) ? TODAY : appointmentAddress(data.id);
      return answerChange(request, reply, { data, notice: 'appointment-reactivated', to });
    },
  );
}
