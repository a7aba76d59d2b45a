import { appointmentAdminSchema, appointmentSchema, dataOf, pathId } from '@frontdesk/contracts';
import { type App, type AppError, invalid, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AreaDeps } from '../area-deps.ts';
import { recordChanges } from '../changes/record-actions.ts';
import { orAbsent, orNull } from '../clients/or-null.ts';
import { plainBody } from '../forms/form-values.rules.ts';
import { APPOINTMENT, appointmentAddress } from '../records/addresses.rules.ts';
import { regionOf } from '../region/region.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { errorText } from '../ui/form-errors.ts';
import { leadsToToday } from '../ui/navigation.rules.ts';
import type { ErrorPage } from '../ui/pages.ts';
import { appointmentPage } from './appointment.view.ts';
import { type CancelBody, cancelBody } from './cancellation.rules.ts';
import { loadHistoryNames } from './load-history-names.ts';
import { mayBeNoShow, mayComplete } from './may-end.rules.ts';
import { moveMadeQuery } from './moved-start.rules.ts';

const resource = 'Appointment';

/** Changes of an appointment's status that need nothing entered. */
const ENDINGS = [
  { verb: 'cancel', status: 'cancelled', action: 'appointment_cancelled', notice: 'appointment-cancelled' },
  { verb: 'complete', status: 'completed', action: 'appointment_completed', notice: 'appointment-completed' },
  { verb: 'no-show', status: 'no_show', action: 'appointment_no_show', notice: 'appointment-no-show' },
] as const;

/** Whether somebody is here; no ending. */
const ARRIVALS = [
  { verb: 'arrive', arrived: true, action: 'appointment_arrived', notice: 'appointment-arrived' },
  {
    verb: 'not-arrived',
    arrived: false,
    action: 'appointment_not_arrived',
    notice: 'appointment-not-arrived',
  },
] as const;

const NOT_TODAY = 'This appointment is on a later day. Arrivals are marked on the day itself.';
const NOT_SCHEDULED = 'Arrivals are marked while an appointment is scheduled. This one has ended.';
const NOT_BEGUN = 'The appointment has not begun yet. It can be marked as a no-show from its start on.';

/** One appointment, and how it ends. */
export function appointmentRoutes(app: App, deps: AreaDeps & { today: ErrorPage }): void {
  const { gateway, appointments, customers, changes, pages, today } = deps;
  const show = async (request: FastifyRequest, reply: FastifyReply, error: AppError | null = null) => {
    const { tenantId, query, params } = request;
    const { id } = params as { id: number };
    const [{ record: appointment, etag }, tenant, history] = await Promise.all([
      appointments.appointment(tenantId, id),
      orNull(gateway.tenant(tenantId)),
      orAbsent(appointments.history(tenantId, id)),
    ]);
    const [named, historyNames] = await Promise.all([
      orNull(customers.byIds(tenantId, [appointment.customer_id])),
      loadHistoryNames(deps, tenantId, history),
    ]);
    const shown = {
      appointment,
      etag,
      customer: named?.[0] ?? null,
      now: Date.now(),
      region: regionOf({ tenant }, tenant?.timezone ?? appointment.timezone),
      moveMade: moveMadeQuery.parse(query),
      refusal: error ? errorText(error) : undefined,
      history,
      historyNames,
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

  const errorPage: ErrorPage = (request, reply, error) =>
    leadsToToday(request.sent) ? today(request, reply, error) : show(request, reply, error);
  const { post } = recordChanges(app, {
    changes,
    single: APPOINTMENT,
    config: { resource, errorPage },
    subjectOf: async (tenantId, id) => {
      const { record } = await appointments.appointment(tenantId, id);
      return `Appointment ${id}, ${record.appointment_date} ${record.appointment_time}`;
    },
  });
  for (const { status, ...ending } of ENDINGS)
    post({
      ...ending,
      schema: appointmentSchema,
      body: status === 'cancelled' ? cancelBody : plainBody,
      to: appointmentAddress,
      async work({ session, tenantId, body }, id) {
        const { version, reason } = body as CancelBody;
        const seen = status === 'no_show' ? await begun(tenantId, id) : null;
        const patch = { status, ...(status === 'cancelled' && { cancellation_reason: reason }) };
        return appointments.change(session, id, patch, version ?? seen?.etag);
      },
    });
  for (const { arrived, ...mark } of ARRIVALS)
    post({
      ...mark,
      schema: appointmentSchema,
      body: plainBody,
      to: appointmentAddress,
      async work({ session, tenantId, body }, id) {
        const { version } = body as { version?: string };
        if (arrived) await requireItsDay(tenantId, id);
        return appointments.change(session, id, { arrived }, version);
      },
    });

  /** @throws AppError `validation_failed` before the day of the appointment, and after its end */
  async function requireItsDay(tenantId: number, id: number) {
    const [{ record }, tenant] = await Promise.all([
      appointments.appointment(tenantId, id),
      orNull(gateway.tenant(tenantId)),
    ]);
    if (record.status !== 'scheduled') throw invalid({ arrived: [NOT_SCHEDULED] });
    const region = regionOf({ tenant }, tenant?.timezone ?? record.timezone);
    if (!mayComplete(record, region, Date.now())) throw invalid({ arrived: [NOT_TODAY] });
  }

  /**
   * An appointment that somebody can have missed. Its ETag goes with the change, so that nobody moves it into the
   * future in between.
   * @throws AppError `validation_failed` before it begins
   */
  async function begun(tenantId: number, id: number) {
    const seen = await appointments.appointment(tenantId, id);
    if (seen.record.status === 'no_show' || mayBeNoShow(seen.record, Date.now())) return seen;
    throw invalid({ status: [NOT_BEGUN] });
  }
}
