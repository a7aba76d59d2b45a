import { appointmentSchema, dataOf } from '@frontdesk/contracts';
import { type App, AppError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  BOOKING_FIELDS,
  type BookingBody,
  bookingBody,
  idempotencyKeyOf,
  isSearch,
  newCustomerOf,
} from '../../domain/booking-form.ts';
import {
  BOOKING,
  type BookingQuery,
  bookingPageQuery,
  queryOfForm,
  typedStart,
} from '../../domain/booking-query.ts';
import { CUSTOMER_ADDED, FRONT_DESK } from '../../domain/customers/added-customer.ts';
import { findCustomers } from '../../use-cases/find-customers.ts';
import {
  alternativesTo,
  isOffered,
  type LoadedBooking,
  loadBooking,
  loadFreeTimes,
} from '../../use-cases/load-booking.ts';
import { orNull } from '../../use-cases/or-null.ts';
import { appointmentAddress } from '../../views/appointments/appointment-words.ts';
import { servicesStep, timesStep } from '../../views/appointments/booking.view.ts';
import { type CustomerStep, customerStep } from '../../views/appointments/booking-customer.view.ts';
import { numberOf } from '../../views/calls/call-words.ts';
import { EMPTY_FORM, type FormState, textOf } from '../../views/shared/page-context.ts';
import { wantsJson } from '../shared/accept.ts';
import type { AreaDeps } from '../shared/area-deps.ts';
import { answerChange } from '../shared/changes.ts';
import { refusedForm } from '../shared/refusals.ts';

/** A booking, step by step: each is a page whose address says what is chosen; the last one is sent. */
export function bookingRoutes(app: App, deps: AreaDeps): void {
  const { appointments, scheduling, changes, pages } = deps;

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
      return pages.send(reply, await stepOf(request, query, { ...loaded, unread }));
    },
  );

  /** The first step that isn't decided yet. */
  async function stepOf(
    request: FastifyRequest,
    query: BookingQuery,
    { unread, ...loaded }: LoadedBooking & { unread: string | undefined },
  ): Promise<string> {
    const { tenantId } = request;
    const context = pages.context(request);
    const { service, staff, today } = loaded;
    if (service === null) return servicesStep(context, { query, loaded });
    const asked = { service_id: service.id, staff_id: staff?.id };
    const { date, time } = query;
    const wanted = date !== undefined && time !== undefined ? { date, time } : null;
    // The chosen staff member may not perform the service: the others are shown, and none is chosen.
    const isOther = query.staff_id !== undefined && staff === null && service.performers.length > 0;
    const isFree = query.anyway ? true : wanted && (await isOffered(deps, tenantId, { ...asked, ...wanted }));
    if (wanted && isFree !== false && !isOther)
      return customerStep(context, loaded, { ...asked, ...wanted, ...firstForm(loaded) });
    const from = date !== undefined && date > today ? date : today;
    const [free, settings] = await Promise.all([
      loadFreeTimes(deps, tenantId, asked, from),
      wanted && orNull(scheduling.settings(tenantId)),
    ]);
    const isOpen = settings?.record.booking_policy === 'open';
    const refused = isFree === false ? wanted : null;
    return timesStep(context, {
      query: { ...query, ...asked },
      loaded,
      service,
      from,
      free,
      refused,
      unread,
      isOther,
      isOpen,
    });
  }

  /** The form as it was sent, with what came of it. */
  const showForm = async (request: FastifyRequest, reply: FastifyReply, error: AppError | null) => {
    const { tenantId, sent = {} } = request;
    const query = queryOfForm(sent);
    const loaded = await loadBooking(deps, tenantId, query);
    const { date, time } = query;
    // It may stop being bookable while the form is filled in: none is booked in its place.
    if (!loaded.service && loaded.services && query.service_id !== undefined)
      return pages.send(reply, servicesStep(pages.context(request), { query, loaded }));
    // Without these there is nothing to show around it.
    if (!loaded.service || !date || !time)
      throw error ?? new AppError('bad_request', 'Choose a service and a time.');
    // Also who can't be had any more: nobody else is booked in their place unseen.
    const wanted = { service_id: loaded.service.id, staff_id: query.staff_id, date, time };
    const sentForm = error ? refusedBooking(request, error) : { ...EMPTY_FORM, values: sent };
    const isTaken = sentForm.errors.phone !== undefined && textOf(sentForm, 'phone') !== '';
    const searched = textOf(sentForm, isTaken ? 'phone' : 'q').trim();
    const isNewSearch = error === null && searched !== textOf(sentForm, 'found');
    const form = isNewSearch ? withNobodyChosen(sentForm) : sentForm;
    const [rows, alternatives] = await Promise.all([
      orNull(findCustomers(deps, tenantId, searched.slice(0, 200))),
      error ? alternativesTo(deps, tenantId, error, wanted) : [],
    ]);
    const isSearchAway = rows === null;
    const step: CustomerStep = { ...wanted, form, searched, found: rows ?? [], isSearchAway, alternatives };
    // Where nobody knows whether it was booked, it is tried again with the same token. A search uses none up.
    const keepsToken = error === null || error.status >= 500 || error.code === 'request_in_progress';
    const context = pages.context(request);
    const formToken = (keepsToken && textOf(form, 'form_token')) || context.formToken;
    return pages.send(reply, customerStep({ ...context, formToken }, loaded, step));
  };

  app.post(
    BOOKING,
    {
      schema: { body: bookingBody, response: { 201: dataOf(appointmentSchema) } },
      config: { failurePage: showForm },
    },
    async (request, reply) => {
      const { tenantId, body } = request;
      if (!wantsJson(request) && isSearch(body)) return showForm(request, reply, null);
      const key = idempotencyKeyOf(body.form_token);
      const customer_id = body.customer_id ?? (await addCustomer(request, body, key));
      const { service_id, staff_id, notes, date, time } = body;
      const booking = { customer_id, service_id, staff_id, notes, source: FRONT_DESK };
      const at = `${date} ${time}`;
      const change = {
        ...({ action: 'appointment_booked', subject: at } as const),
        subjectOf: ({ id }: { id: number }) => `Appointment ${id}, ${at}`,
      };
      const data = await changes.make(request, change, () =>
        appointments.book(tenantId, { ...booking, appointment_date: date, appointment_time: time }, key),
      );
      reply.code(201);
      return answerChange(request, reply, {
        data,
        notice: 'appointment-booked',
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

const SENT_BEFORE =
  'This form was sent before, with something else in it. Look at the calendar: it may be booked already.';

const OTHER_STAFF =
  'It can’t be booked with the chosen staff member any more. Change the time above to see who is free.';

/** Errors of new customers stand beside their fields; the others are said above the form. */
function refusedBooking(request: FastifyRequest, error: AppError): FormState {
  const form = refusedForm(request, error, BOOKING_FIELDS);
  if (error.code === 'slot_unavailable') return { ...form, message: 'This time is taken.' };
  if (error.errors?.staff_id) return { ...form, message: OTHER_STAFF };
  return error.errors?.['Idempotency-Key'] ? { ...form, message: SENT_BEFORE } : form;
}

/** A new search is for somebody else than who was chosen before it. */
const withNobodyChosen = ({ values, ...form }: FormState): FormState => ({
  ...form,
  values: { ...values, customer_id: '' },
});

/** Who is known to be booked for; else the number of the call, as a new customer's. */
function firstForm({ customer, call }: LoadedBooking) {
  const number = call && numberOf(call);
  const values = customer === null && number ? { phone: number } : {};
  return {
    form: { ...EMPTY_FORM, values: { ...values, ...(customer && { customer_id: String(customer.id) }) } },
    ...{ searched: '', found: [], isSearchAway: false, alternatives: [] },
  };
}
