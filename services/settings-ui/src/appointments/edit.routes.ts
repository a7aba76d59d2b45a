import { appointmentAdminSchema, appointmentSchema, dataOf, pathId, type Slot } from '@frontdesk/contracts';
import { type App, type AppError, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AreaDeps } from '../area-deps.ts';
import { answerChange } from '../changes/changes.ts';
import { orNull } from '../clients/or-null.ts';
import { APPOINTMENT, appointmentAddress } from '../records/addresses.rules.ts';
import { regionOf } from '../region/region.rules.ts';
import { withReadPrice } from '../services/amount.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { recordFormWithErrors } from '../ui/form-errors.ts';
import { EMPTY_FORM } from '../ui/page-context.ts';
import { editPage } from './edit.view.ts';
import { EDIT_FIELDS, editBody, patchOf } from './edit-form.rules.ts';
import { loadEdit } from './load-edit.ts';

const resource = 'Appointment';
const single = `${APPOINTMENT}/edit` as const;

/** What an appointment is, with whom, how long, for how much, and its note. */
export function editRoutes(app: App, deps: AreaDeps): void {
  const { gateway, appointments, changes, pages } = deps;

  const show = async (request: FastifyRequest, reply: FastifyReply, error: AppError | null = null) => {
    const { id } = request.params as { id: number };
    const loaded = await loadEdit(deps, request.session, id);
    const form = error ? recordFormWithErrors(request, error, EDIT_FIELDS) : EMPTY_FORM;
    const { alternatives = [] } = (error?.data ?? {}) as { alternatives?: Slot[] };
    const message = error?.code === 'slot_unavailable' ? TAKEN : form.message;
    return pages.send(
      reply,
      editPage(pages.context(request), { ...loaded, form: { ...form, message }, alternatives }),
    );
  };

  app.get(
    single,
    {
      config: { resource },
      schema: { params: pathId, response: { 200: dataOf(appointmentAdminSchema) } },
    },
    async (request, reply) => {
      if (!wantsJson(request)) return show(request, reply);
      const { record, etag } = await appointments.appointment(request.session, request.params.id);
      return reply.header('etag', etag).send(ok(record));
    },
  );

  /** Reads a typed price by the appointment's currency and the business's country. */
  const readPrice = async (request: FastifyRequest) => {
    const { session: by } = request;
    const { id } = request.params as { id: number };
    request.body = await withReadPrice(request.body, async () => {
      const [{ record }, tenant] = await Promise.all([
        appointments.appointment(by, id),
        orNull(gateway.tenant(by)),
      ]);
      return { currency: record.currency, region: regionOf({ tenant }) };
    });
  };

  app.post(
    single,
    {
      preValidation: readPrice,
      schema: { params: pathId, body: editBody, response: { 200: dataOf(appointmentSchema) } },
      config: { resource, errorPage: show },
    },
    async (request, reply) => {
      const { session, params, body, sent = {} } = request;
      const { id } = params;
      const { record } = await appointments.appointment(session, id);
      const change = {
        action: 'appointment_changed' as const,
        subject: `Appointment ${id}, ${record.appointment_date} ${record.appointment_time}`,
        record: id,
      };
      const data = await changes.make(request, change, () =>
        appointments.change(session, id, patchOf(body, sent), body.version),
      );
      return answerChange(request, reply, { data, notice: 'appointment-saved', to: appointmentAddress(id) });
    },
  );
}

const TAKEN = 'There isn’t enough free time for this.';
