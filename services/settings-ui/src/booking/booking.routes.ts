import { type Appointment, appointmentSchema, type CallAdmin, dataOf } from '@frontdesk/contracts';
import { type App, AppError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AreaDeps } from '../area-deps.ts';
import { isMissedCaller } from '../calls/call-backs.rules.ts';
import { answerChange } from '../changes/changes.ts';
import { formDrawnAt, refuseExpiredForm } from '../changes/sent-once.ts';
import { orNull } from '../clients/or-null.ts';
import { CUSTOMER_ADDED, FRONT_DESK } from '../customers/added-customer.rules.ts';
import { appointmentAddress } from '../records/addresses.rules.ts';
import { BOOKING, bookingPageQuery, typedStart } from '../records/booking-query.rules.ts';
import { wantsJson } from '../ui/accept.ts';
import {
  type BookingBody,
  bookingBody,
  idempotencyKeyOf,
  isSearch,
  isServiceChoice,
  newCustomerOf,
  wantedBy,
} from './booking-form.rules.ts';
import { bookingStepPage } from './booking-step-page.ts';
import { loadBooking, refusalOfTime } from './load-booking.ts';
import { showSentBooking } from './sent-booking-page.ts';

/** A booking, step by step: each is a page whose address says what is chosen; the last one is sent. */
export function bookingRoutes(app: App, deps: AreaDeps): void {
  const { appointments, calls, changes, customers, forms, pages } = deps;
  const showForm = (request: FastifyRequest, reply: FastifyReply, error: AppError | null) =>
    showSentBooking(deps, request, reply, error);

  app.get(
    BOOKING,
    {
      config: { isExpensive: true, withoutQuery: 'Start a new booking' },
      schema: { querystring: bookingPageQuery },
    },
    async (request, reply) => {
      const { typed_time, ...given } = request.query;
      const typed = typed_time === undefined ? undefined : typedStart(typed_time);
      const query = { ...given, time: typed ?? given.time };
      const loaded = await loadBooking(deps, request.session, query);
      const unread = typed === undefined ? typed_time : undefined;
      return pages.send(reply, await bookingStepPage(deps, request, query, { ...loaded, unread }));
    },
  );

  app.post(
    BOOKING,
    {
      schema: { body: bookingBody, response: { 201: dataOf(appointmentSchema) } },
      config: { errorPage: showForm },
    },
    async (request, reply) => {
      const { session: by, body } = request;
      if (!wantsJson(request) && isSearch(body)) return showForm(request, reply, null);
      if (!wantsJson(request) && isServiceChoice(body))
        return showForm(request, reply, await refusalOfTime(deps, by, wantedBy(body)));
      await refuseExpiredForm(request, forms);
      const existing = wantsJson(request) ? null : await findSameServiceThatDay(request, body);
      if (existing) return showSentBooking(deps, request, reply, null, existing);
      const key = idempotencyKeyOf(body.form_token);
      const customer_id = body.customer_id ?? (await addCustomer(request, body, key));
      const { service_id, staff_id, notes, date, time, call_id: callId } = body;
      const booking = { customer_id, service_id, staff_id, notes, source: FRONT_DESK };
      const at = `${date} ${time}`;
      const change = {
        ...({ action: 'appointment_booked', subject: at } as const),
        subjectOf: ({ id }: { id: number }) => `Appointment ${id}, ${at}`,
        recordOf: ({ id }: { id: number }) => id,
      };
      const data = await changes.make(request, change, () =>
        appointments.book(
          request.session,
          { ...booking, appointment_date: date, appointment_time: time },
          key,
        ),
      );
      const isLinked = callId === undefined || (await linkCall(request, { callId, appointmentId: data.id }));
      reply.code(201);
      return answerChange(request, reply, {
        data,
        notice: isLinked ? 'appointment-booked' : 'appointment-booked-unlinked',
        to: appointmentAddress(data.id),
      });
    },
  );

  /** The id of the new customer. The form keeps it, so a second try adds nobody. */
  async function addCustomer(request: FastifyRequest, body: BookingBody, key: string | undefined) {
    const customer = newCustomerOf(body);
    const { id } = await changes.make(request, CUSTOMER_ADDED, () =>
      customers.add(request.session, customer, key),
    );
    request.sent = { ...request.sent, customer_id: String(id), name: '', phone: '', email: '' };
    return id;
  }

  /**
   * What the customer has of the same service on that day already, unless the form has asked about it. Null also where scheduling can't
   * say, and for what this form has booked itself: it is sent again.
   */
  async function findSameServiceThatDay(
    request: FastifyRequest,
    { customer_id, confirmed_customer_id, service_id, staff_id, date, time }: BookingBody,
  ): Promise<Appointment | null> {
    if (customer_id === undefined || confirmed_customer_id === customer_id) return null;
    const drawnAt = formDrawnAt(request);
    const isKept = ({ status }: Appointment) => status === 'scheduled' || status === 'completed';
    const isOwn = (one: Appointment) =>
      one.source === FRONT_DESK &&
      one.appointment_time === time &&
      (staff_id == null || one.staff_id === staff_id) &&
      (drawnAt === null || Date.parse(one.created_at) >= drawnAt);
    const { session: by } = request;
    // A booking for a merged customer is the remaining one's.
    const named = await orNull(customers.byIds(by, [customer_id]));
    const currentId = named?.[0]?.merged_into ?? customer_id;
    const ofDay = await orNull(customers.appointmentsOn(by, currentId, date));
    return ofDay?.find((one) => one.service_id === service_id && isKept(one) && !isOwn(one)) ?? null;
  }

  /**
   * Has the call name the appointment that was booked in it; a missed caller counts as called back then.
   * @returns whether the call is linked; the booking stands anyway
   */
  async function linkCall(
    request: FastifyRequest,
    { callId, appointmentId }: { callId: number; appointmentId: number },
  ): Promise<boolean> {
    const { session } = request;
    const subject = `Call ${callId}`;
    const link = {
      action: 'call_linked' as const,
      subject,
      // The first booking of a call stays.
      subjectOf: ({ appointment_id }: CallAdmin) => `${subject}, appointment ${appointment_id}`,
    };
    const mark = { action: 'call_marked_called_back', subject } as const;
    const logged = (error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      request.log.warn({ err: error }, 'a call does not say what was booked in it');
      return null;
    };
    const call = await changes
      .make(request, link, () => calls.linkAppointment(session, callId, appointmentId))
      .catch(logged);
    if (call && isMissedCaller(call) && call.called_back === null)
      await changes
        .make(request, mark, () => calls.markCalledBack(session, callId, session.email))
        .catch(logged);
    return call?.appointment_id === appointmentId;
  }
}
