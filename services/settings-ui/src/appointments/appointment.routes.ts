import {
  type AppointmentAdmin,
  appointmentAdminSchema,
  appointmentSchema,
  dataOf,
  pathId,
  type UpdateAppointmentAdmin,
} from '@frontdesk/contracts';
import { type App, type AppError, invalid, ok } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AreaDeps } from '../area-deps.ts';
import type { AuditAction } from '../audit/audit.rules.ts';
import { recordChanges } from '../changes/record-actions.ts';
import { orNull } from '../clients/or-null.ts';
import { plainBody } from '../forms/form-values.rules.ts';
import { APPOINTMENT, appointmentAddress } from '../records/addresses.rules.ts';
import { arrivedAt } from '../records/arrival.rules.ts';
import { type Region, regionOf } from '../region/region.rules.ts';
import type { By } from '../session/session.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import { errorText } from '../ui/form-errors.ts';
import { leadsToToday } from '../ui/navigation.rules.ts';
import type { Notice } from '../ui/notices.rules.ts';
import type { ErrorPage } from '../ui/pages.ts';
import { appointmentPage } from './appointment.view.ts';
import { cancelBody } from './cancellation.rules.ts';
import { loadAppointment } from './load-appointment.ts';
import { mayArrive, mayBeNoShow } from './may-end.rules.ts';
import { moveMadeQuery } from './moved-start.rules.ts';

const resource = 'Appointment';

const NOT_TODAY = 'You can mark an arrival on the day of the appointment.';
const NOT_SCHEDULED = 'Arrivals are marked while an appointment is scheduled. This one has ended.';
const NOT_BEGUN = 'The appointment has not begun yet. It can be marked as a no-show from its start on.';

const HAS_ARRIVED = 'The customer has arrived meanwhile. Undo the arrival first if that is wrong.';

/** @throws AppError `validation_failed` where it can't be marked now */
type Check = (record: AppointmentAdmin, region: Region, now: number) => void;

const requireItsDay: Check = (record, region, now) => {
  if (record.status !== 'scheduled') throw invalid({ arrived: [NOT_SCHEDULED] });
  if (!mayArrive(record, region, now)) throw invalid({ arrived: [NOT_TODAY] });
};

const requireItsStart: Check = (record, _region, now) => {
  if (arrivedAt(record) !== null) throw invalid({ status: [HAS_ARRIVED] });
  if (record.status !== 'no_show' && !mayBeNoShow(record, now)) throw invalid({ status: [NOT_BEGUN] });
};

interface Mark {
  verb: string;
  action: AuditAction;
  notice: Notice;
  patch: UpdateAppointmentAdmin;
  check?: Check;
}

/** Changes that need nothing entered. */
const MARKS: Mark[] = [
  {
    verb: 'complete',
    action: 'appointment_completed',
    notice: 'appointment-completed',
    patch: { status: 'completed' },
  },
  {
    verb: 'no-show',
    action: 'appointment_no_show',
    notice: 'appointment-no-show',
    patch: { status: 'no_show' },
    check: requireItsStart,
  },
  {
    verb: 'arrive',
    action: 'appointment_arrived',
    notice: 'appointment-arrived',
    patch: { arrived: true },
    check: requireItsDay,
  },
  {
    verb: 'not-arrived',
    action: 'appointment_not_arrived',
    notice: 'appointment-not-arrived',
    patch: { arrived: false },
  },
];

/** One appointment, and how it ends. */
export function appointmentRoutes(app: App, deps: AreaDeps & { today: ErrorPage }): void {
  const { gateway, appointments, changes, pages, today } = deps;
  const show = async (request: FastifyRequest, reply: FastifyReply, error: AppError | null = null) => {
    const { session: by, query, params } = request;
    const { id } = params as { id: number };
    const shown = {
      ...(await loadAppointment(deps, by, id)),
      now: Date.now(),
      moveMade: moveMadeQuery.parse(query),
      refusal: error ? errorText(error) : undefined,
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
      const { record, etag } = await appointments.appointment(request.session, request.params.id);
      return reply.header('etag', etag).send(ok(record));
    },
  );

  const errorPage: ErrorPage = (request, reply, error) =>
    leadsToToday(request.sent) ? today(request, reply, error) : show(request, reply, error);
  const { post } = recordChanges(app, {
    changes,
    single: APPOINTMENT,
    config: { resource, errorPage },
    subjectOf: async (by, id) => {
      const { record } = await appointments.appointment(by, id);
      return `Appointment ${id}, ${record.appointment_date} ${record.appointment_time}`;
    },
  });
  post({
    verb: 'cancel',
    action: 'appointment_cancelled',
    notice: 'appointment-cancelled',
    schema: appointmentSchema,
    body: cancelBody,
    to: appointmentAddress,
    work: ({ session, body: { reason, version } }, id) =>
      appointments.change(session, id, { status: 'cancelled', cancellation_reason: reason }, version),
  });
  for (const { patch, check, ...mark } of MARKS)
    post({
      ...mark,
      schema: appointmentSchema,
      body: plainBody,
      to: appointmentAddress,
      async work({ session, body }, id) {
        const seen = check && (await checked(session, id, check));
        return appointments.change(session, id, patch, body.version ?? seen?.etag);
      },
    });

  /** An appointment that can be marked. Its ETag goes with the change, so that nobody moves it in between. */
  async function checked(by: By, id: number, check: Check) {
    const [seen, tenant] = await Promise.all([appointments.appointment(by, id), orNull(gateway.tenant(by))]);
    check(seen.record, regionOf({ tenant }, tenant?.timezone ?? seen.record.timezone), Date.now());
    return seen;
  }
}
