import { type Appointment, MAX_LENGTH, type Slot } from '@frontdesk/contracts';
import type { FoundCustomer } from '../customers/find-customers.ts';
import { noShowsBadge } from '../records/appointment-words.view.ts';
import { BOOKING } from '../records/booking-query.rules.ts';
import { clockText, longDate } from '../region/dates.rules.ts';
import { phoneText } from '../region/phone-text.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { durationText, moneyText } from '../region/words.rules.ts';
import { formMessage, postForm } from '../ui/controls.view.ts';
import { emailInput, inputField, textArea } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { notice } from '../ui/notice.view.ts';
import { type FormState, type PageContext, textOf } from '../ui/page-context.ts';
import { panel } from '../ui/panel.view.ts';
import { bookingStep } from './booking.view.ts';
import { alternativesNotice } from './free-times.view.ts';
import type { LoadedBooking } from './load-booking.ts';

export interface CustomerStep {
  service_id: number;
  staff_id: number | undefined;
  date: string;
  time: string;
  form: FormState;
  /** The text in the field of the search. */
  q: string;
  /** What was searched for: this text, or the number of a new customer that was refused; and who was found by it. */
  searched: string;
  found: FoundCustomer[];
  /** Nobody could say who there is. */
  isSearchAway: boolean;
  /** What is free in place of a time that was refused. */
  alternatives: Slot[];
  /** What the customer has of the service on that day already. */
  existing: Appointment | null;
}

/** The last step: who it is, and a note. Its form books. */
export function customerStep(context: PageContext, loaded: LoadedBooking, step: CustomerStep): string {
  const { service_id, staff_id, date, time } = step;
  const { region, service, staff, callId, customer } = loaded;
  const query = {
    service_id,
    staff_id,
    date,
    time,
    customer_id: customer?.id,
    call_id: callId,
  };
  return bookingStep(context, {
    query,
    loaded,
    body: panel({
      id: 'customer',
      title: 'Who is it for?',
      isStart: isFresh(step) && isChosen(step),
      body: html`<p>${service?.name}, ${longDate(region, date)} at ${clockText(region, time)}${staff && ` with ${staff.name}`}${
        service &&
        ` · ${durationText(service.duration_minutes)} · ${moneyText(region, service.price, service.currency)}`
      }</p>
${bookingForm(context, loaded, step)}`,
    }),
  });
}

function bookingForm(context: PageContext, loaded: LoadedBooking, step: CustomerStep): Html {
  const { region, today, customer } = loaded;
  const { form, alternatives, service_id, staff_id, date, time, existing } = step;
  const confirmed = existing === null ? textOf(form, 'confirmed_customer_id') || undefined : undefined;
  const hidden = {
    service_id,
    staff_id,
    date,
    time,
    call_id: loaded.callId,
    confirmed_customer_id: confirmed,
  };
  const isTaken = alternatives.length > 0;
  return postForm(context, {
    action: BOOKING,
    id: 'booking',
    look: 'stack',
    asksBeforeLeaving: true,
    isOnce: true,
    body: html`<button type="submit" hidden></button>
${
  isTaken
    ? alternativesNotice(alternatives, {
        region,
        name: 'at',
        today,
        lead: `${form.message ?? 'This time isn’t free.'} Nothing is booked yet. Pick another time to book it:`,
      })
    : formMessage(form)
}
${existing && alreadyBooked(loaded, existing)}
${Object.entries(hidden).map(
  ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
)}
${customerSearch(region, step, customer)}
${newCustomerFields(step)}
${textArea(form, { name: 'notes', label: 'Note', isOptional: true, maxLength: MAX_LENGTH.notes, rows: 2 })}
<div class="actions">${
      existing
        ? html`<button type="submit" class="primary" name="confirmed_customer_id"
value="${existing.customer_id}">Book another appointment</button>`
        : html`<button type="submit" class="primary">Book</button>`
    }</div>`,
  });
}

/** It may be a mistake, so nothing is booked before somebody says that it is none. */
function alreadyBooked({ region, customer, service }: LoadedBooking, existing: Appointment): Html {
  const day = longDate(region, existing.appointment_date);
  const time = clockText(region, existing.appointment_time);
  return notice(
    'waiting',
    `${customer?.name ?? 'The customer'} already has ${service?.name} on ${day} at ${time}. This appointment is not booked yet.`,
    { role: 'alert', isAnswer: true },
  );
}

/** Nothing is sent yet. */
const isFresh = ({ form }: CustomerStep): boolean => textOf(form, 'form_token') === '';

/** Where the customer is known already, the focus stays off the button: who only goes on by Enter books nothing. */
const isChosen = ({ form }: CustomerStep): boolean => textOf(form, 'customer_id') !== '';

/**
 * The customers found by what is typed. A script finds them while it is typed, with the same markup. Who the address or
 * the call names stays in sight, and is none of those found.
 */
function customerSearch(region: Region, step: CustomerStep, known: FoundCustomer | null): Html {
  const { form, found, q } = step;
  const shown = known === null || found.some(({ id }) => id === known.id) ? found : [known, ...found];
  return html`<div class="finding" data-find="/settings/customers/find"><div class="row">
<div class="field"><label for="q">Customer</label>
<input id="q" name="q" type="search" autocomplete="off" spellcheck="false" maxlength="${MAX_LENGTH.search}"
placeholder="Name or phone number" value="${textOf(form, 'q')}"
aria-describedby="found-words"${isFresh(step) && !isChosen(step) && html` autofocus data-focus`}></div>
<button type="submit" name="do" value="find">Find</button></div>
<input type="hidden" name="found" value="${q}">
<p id="found-words" class="hint" role="status">${foundWords(step)}</p>
<fieldset class="candidates choice-cards"${shown.length === 0 && html` hidden`}><legend class="for-reader">Customers found</legend>
${customerChoices(region, step, shown)}</fieldset></div>`;
}

const isSimilar = ({ is_similar = false }: FoundCustomer): boolean => is_similar;
const exactly = (found: FoundCustomer[]) => found.filter((customer) => !isSimilar(customer));

const foundWords = ({ found: all, searched, isSearchAway }: CustomerStep): string => {
  const found = exactly(all);
  if (searched === '') return '';
  if (isSearchAway) return 'Customers can’t be found right now. Try again in a moment.';
  if (found.length === 0)
    return all.length > 0
      ? 'No customer found. Choose one with a similar name, or add a new one below.'
      : 'No customer found. Add a new one below.';
  return found.length === 1 ? '1 customer found.' : `${found.length} customers found. Choose one:`;
};

function customerChoices(
  region: Region,
  { form, found: all, searched }: CustomerStep,
  shown: FoundCustomer[],
): Html[] {
  const found = exactly(all);
  const wanted = textOf(form, 'customer_id');
  const isOnly = found.length === 1 && textOf(form, 'name') === '';
  const first = String(found[0]?.id ?? '');
  const isThere = shown.some(({ id }) => String(id) === wanted);
  const chosen = isThere ? wanted : isOnly ? first : '';
  const firstSimilar = shown.find(isSimilar);
  return shown.map((customer) => {
    const { id, name, phone, email, no_shows } = customer;
    const heading = customer === firstSimilar && html`<p class="similar">Similar names</p>`;
    const isFocused = searched !== '' && form.message === null && String(id) === (chosen || first);
    return html`${heading}<label class="check"><input type="radio" name="customer_id" value="${id}"${
      String(id) === chosen && html` checked`
    }${isFocused && html` data-focus`}>
<span>${name}${noShowsBadge(no_shows)}<span class="hint">${[phoneText(region, phone), email].filter(Boolean).join(' · ')}</span></span></label>`;
  });
}

/** Somebody who is not known yet. What was searched for is who they are, or their number. */
function newCustomerFields({ form, found, searched, isSearchAway }: CustomerStep): Html {
  const isNumber = /\d/.test(searched);
  const isNobody = exactly(found).length === 0 && searched !== '' && !isSearchAway;
  const prefilled = isNobody && textOf(form, 'name') === '' && textOf(form, 'phone') === '';
  const values = prefilled ? { ...form.values, [isNumber ? 'phone' : 'name']: searched } : form.values;
  const shown = { ...form, values };
  const isOpen = ['name', 'phone', 'email'].some((name) => textOf(shown, name) !== '' || form.faults[name]);
  return html`<details class="adding"${isOpen && html` open`}><summary>New customer</summary>
<div class="fields">${inputField(shown, { name: 'name', label: 'Name', canBeEmpty: true, maxLength: MAX_LENGTH.name })}
${inputField(shown, { name: 'phone', label: 'Phone', canBeEmpty: true, maxLength: MAX_LENGTH.phone })}
${emailInput(shown, { name: 'email', label: 'Email', isOptional: true, maxLength: MAX_LENGTH.email })}</div></details>`;
}
