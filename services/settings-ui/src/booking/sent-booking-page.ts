import type { Appointment } from '@frontdesk/contracts';
import { AppError } from '@frontdesk/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AreaDeps } from '../area-deps.ts';
import { isExpiredForm } from '../changes/sent-once.ts';
import { orNull } from '../clients/or-null.ts';
import { findCustomers } from '../customers/find-customers.ts';
import { queryOfForm } from '../records/booking-query.rules.ts';
import { formWithErrors } from '../ui/form-errors.ts';
import { EMPTY_FORM, type FormState, textOf } from '../ui/page-context.ts';
import { servicesStep } from './booking.view.ts';
import { type CustomerStep, customerStep } from './booking-customer.view.ts';
import { BOOKING_FIELDS } from './booking-form.rules.ts';
import { alternativesTo, loadBooking } from './load-booking.ts';

/** The form as it was sent, with what came of it. `existing`: what the customer has already, which it asks about. */
export async function showSentBooking(
  deps: AreaDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  error: AppError | null,
  existing: Appointment | null = null,
) {
  const { pages } = deps;
  const { session: by, sent = {} } = request;
  const query = queryOfForm(sent);
  const loaded = await loadBooking(deps, by, query);
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
  const isTaken = sentForm.faults.phone !== undefined && textOf(sentForm, 'phone') !== '';
  const q = textOf(sentForm, 'q').trim();
  const searched = isTaken ? textOf(sentForm, 'phone').trim() : q;
  const isNewSearch = error === null && q !== textOf(sentForm, 'found').trim();
  const form = isNewSearch ? withNobodyChosen(sentForm, q) : sentForm;
  const [rows, alternatives] = await Promise.all([
    orNull(findCustomers(deps, by, searched.slice(0, 200))),
    error ? alternativesTo(deps, by, error, wanted) : [],
  ]);
  const isSearchAway = rows === null;
  const step: CustomerStep = {
    ...wanted,
    form,
    q,
    searched,
    found: rows ?? [],
    isSearchAway,
    alternatives,
    existing,
  };
  // Where nobody knows whether it was booked, it is tried again with the same token. A search uses none up.
  const isUnused = error === null || error.status >= 500 || error.code === 'request_in_progress';
  const keepsToken = isUnused && !isExpiredForm(request);
  const context = pages.context(request);
  const formToken = (keepsToken && textOf(form, 'form_token')) || context.formToken;
  return pages.send(reply, customerStep({ ...context, formToken }, loaded, step));
}

const SENT_BEFORE =
  'You have sent this booking before, with other details. Check the calendar: it may be booked already.';

const STILL_BOOKING = 'This appointment is still being booked. Wait a moment, then press Book again.';

const OTHER_STAFF =
  'The person you chose can’t be booked any more. Change the time above to see who is free.';

/** Errors of new customers stand beside their fields; the others are said above the form. */
function refusedBooking(request: FastifyRequest, error: AppError): FormState {
  const form = formWithErrors(request, error, BOOKING_FIELDS);
  if (error.code === 'slot_unavailable') return { ...form, message: 'This time is taken.' };
  if (error.code === 'request_in_progress') return { ...form, message: STILL_BOOKING };
  if (error.errors?.staff_id) return { ...form, message: OTHER_STAFF };
  return error.errors?.['Idempotency-Key'] ? { ...form, message: SENT_BEFORE } : form;
}

/**
 * A new search is for somebody else than who was chosen before it. People who pressed another button than
 * Find are told so.
 */
const withNobodyChosen = (form: FormState, q: string): FormState => ({
  ...form,
  values: { ...form.values, customer_id: '' },
  message:
    textOf(form, 'do') === 'find'
      ? form.message
      : `Nothing is booked yet: “${q}” was looked for first. Choose a customer or add a new one, then press Book.`,
});
