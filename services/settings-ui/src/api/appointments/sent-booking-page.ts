import { AppError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BOOKING_FIELDS } from '../../domain/appointments/booking-form.ts';
import { queryOfForm } from '../../domain/appointments/booking-query.ts';
import { findCustomers } from '../../use-cases/find-customers.ts';
import { alternativesTo, loadBooking } from '../../use-cases/load-booking.ts';
import { orNull } from '../../use-cases/or-null.ts';
import { servicesStep } from '../../views/appointments/booking.view.ts';
import { type CustomerStep, customerStep } from '../../views/appointments/booking-customer.view.ts';
import { EMPTY_FORM, type FormState, textOf } from '../../views/shared/page-context.ts';
import type { AreaDeps } from '../shared/area-deps.ts';
import { refusedForm } from '../shared/refusals.ts';

/** The form as it was sent, with what came of it. */
export async function showSentBooking(
  deps: AreaDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  error: AppError | null,
) {
  const { pages } = deps;
  const { tenantId, sent = {} } = request;
  const query = queryOfForm(sent);
  const loaded = await loadBooking(deps, tenantId, query);
  const { date, time } = query;
  // It may stop being bookable while the form is filled in: none is booked in its place.
  if (!loaded.service && loaded.services && query.service_id !== undefined)
    return pages.send(
      reply,
      servicesStep(pages.context(request), { query, loaded, form: { ...EMPTY_FORM, values: sent } }),
    );
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
}

const SENT_BEFORE =
  'This form was sent before, with something else in it. Look at the calendar: it may be booked already.';

const STILL_BOOKING = 'This appointment is still being booked. Wait a moment, then send the form again.';

const OTHER_STAFF =
  'It can’t be booked with the chosen staff member any more. Change the time above to see who is free.';

/** Errors of new customers stand beside their fields; the others are said above the form. */
function refusedBooking(request: FastifyRequest, error: AppError): FormState {
  const form = refusedForm(request, error, BOOKING_FIELDS);
  if (error.code === 'slot_unavailable') return { ...form, message: 'This time is taken.' };
  if (error.code === 'request_in_progress') return { ...form, message: STILL_BOOKING };
  if (error.errors?.staff_id) return { ...form, message: OTHER_STAFF };
  return error.errors?.['Idempotency-Key'] ? { ...form, message: SENT_BEFORE } : form;
}

/** A new search is for somebody else than who was chosen before it. */
const withNobodyChosen = ({ values, ...form }: FormState): FormState => ({
  ...form,
  values: { ...values, customer_id: '' },
});
