import { appointmentSchema, dataOf } from '@frontdesk/contracts';
import type { App, AppError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AreaDeps } from '../area-deps.ts';
import { answerChange } from '../changes/changes.ts';
import { refuseExpiredForm } from '../changes/sent-once.ts';
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
import { findFirstOfDay } from './find-first-of-day.ts';
import { linkCall } from './link-call.ts';
import { loadBooking, refusalOfTime } from './load-booking.ts';
import { showSentBooking } from './sent-booking-page.ts';

/** A booking, step by step: each is a page whose address says what is chosen; the last one is sent. */
export function bookingRoutes(app: App, deps: AreaDeps): void {
  const { appointments, changes, forms, pages } = deps;
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
      const loaded = await loadBooking(deps, request.tenantId, query);
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
      const { tenantId, body } = request;
      if (!wantsJson(request) && isSearch(body)) return showForm(request, reply, null);
      if (!wantsJson(request) && isServiceChoice(body))
        return showForm(request, reply, await refusalOfTime(deps, tenantId, wantedBy(body)));
      await refuseExpiredForm(request, forms);
      const first = wantsJson(request) ? null : await findFirstOfDay(deps, request, body);
      if (first) return showSentBooking(deps, request, reply, null, first);
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
      const isLinked =
        callId === undefined || (await linkCall(deps, request, { callId, appointmentId: data.id }));
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
      deps.customers.add(request.tenantId, customer, key),
    );
    request.sent = { ...request.sent, customer_id: String(id), name: '', phone: '', email: '' };
    return id;
  }
}
