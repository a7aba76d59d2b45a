import type { Slot } from '@frontdesk/contracts';
import { BOOKING } from '../../domain/appointments/booking-query.ts';
import { clockText, longDate } from '../../domain/shared/dates.ts';
import { phoneText } from '../../domain/shared/phone-text.ts';
import type { Region } from '../../domain/shared/region.ts';
import { durationText, moneyText } from '../../domain/shared/words.ts';
import type { FoundCustomer } from '../../use-cases/find-customers.ts';
import type { LoadedBooking } from '../../use-cases/load-booking.ts';
import { emailInput, inputField, textArea } from '../shared/fields.ts';
import { type Html, html } from '../shared/html.ts';
import { type FormState, type PageContext, textOf } from '../shared/page-context.ts';
import { csrfField, formMessage, onceField } from '../shared/parts.ts';
import { bookingStep } from './booking.view.ts';
import { alternativesNotice } from './free-times.view.ts';

export interface CustomerStep {
  service_id: number;
  staff_id: number | undefined;
  date: string;
  time: string;
  form: FormState;
  /** What was searched for, and who was found by it. */
  searched: string;
  found: FoundCustomer[];
  /** Nobody could say who there is. */
  isSearchAway: boolean;
  /** What is free in place of a time that was refused. */
  alternatives: Slot[];
}

/** The last step: who it is, and a note. Its form books. */
export function customerStep(context: PageContext, loaded: LoadedBooking, step: CustomerStep): string {
  const { service_id, staff_id, date, time } = step;
  const { region, service, staff, call, customer } = loaded;
  const query = {
    ...{ service_id, staff_id, date, time },
    ...{ customer_id: customer?.id, call_id: call?.id },
  };
  return bookingStep(context, {
    ...{ query, loaded },
    body: html`<section class="card" aria-labelledby="customer-title"><h2 id="customer-title">Who is it for?</h2>
<p>${service?.name}, ${longDate(region, date)} at ${clockText(region, time)}${staff && ` with ${staff.name}`}${service && ` · ${durationText(service.duration_minutes)} · ${moneyText(region, service.price, service.currency)}`}</p>
${bookingForm(context, loaded, step)}</section>`,
  });
}

function bookingForm(
  context: PageContext,
  { region, today, call, customer }: LoadedBooking,
  step: CustomerStep,
): Html {
  const { form, alternatives, service_id, staff_id, date, time } = step;
  const hidden = { service_id, staff_id, date, time, call_id: call?.id };
  const isTaken = alternatives.length > 0;
  return html`<form method="post" action="${BOOKING}" id="booking" data-inline data-keep class="stack">
<button type="submit" hidden></button>
${isTaken ? alternativesNotice(alternatives, { ...{ region, name: 'at', today }, lead: `${form.message ?? 'This time is not free.'} Nothing is booked yet. Book another time with one click:` }) : formMessage(form)}
${csrfField(context)}${onceField(context)}
${Object.entries(hidden).map(([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`)}
${customerSearch(region, step, customer)}
${newCustomerFields(step)}
${textArea(form, { name: 'notes', label: 'Note', isOptional: true, maxLength: 5_000, rows: 2 })}
<div class="actions"><button type="submit" class="primary"${isFresh(step) && textOf(form, 'customer_id') !== '' && html` autofocus data-focus`}>Book</button></div></form>`;
}

/** Nothing is sent yet. */
const isFresh = ({ form }: CustomerStep): boolean => textOf(form, 'form_token') === '';

/**
 * The customers found by what is typed. A script finds them while it is typed, with the same markup. Who the address or the call
 * names stays in sight, and is none of those found.
 */
function customerSearch(region: Region, step: CustomerStep, known: FoundCustomer | null): Html {
  const { form, found, searched } = step;
  const shown = known === null || found.some(({ id }) => id === known.id) ? found : [known, ...found];
  return html`<div class="finding" data-find="/settings/customers/find"><div class="row"><div class="field"><label for="q">Customer</label>
<input id="q" name="q" type="search" autocomplete="off" spellcheck="false" maxlength="200" placeholder="Name or phone number" value="${textOf(form, 'q')}" aria-describedby="found-words"${isFresh(step) && textOf(step.form, 'customer_id') === '' && html` autofocus data-focus`}></div>
<button type="submit" name="do" value="find">Find</button></div>
<input type="hidden" name="found" value="${searched}">
<p id="found-words" class="hint" role="status">${foundWords(step)}</p>
<fieldset class="candidates"${shown.length === 0 && html` hidden`}><legend class="for-reader">Customers found</legend>${customerChoices(region, step, shown)}</fieldset></div>`;
}

const foundWords = ({ found, searched, isSearchAway }: CustomerStep): string => {
  if (searched === '') return '';
  if (isSearchAway) return 'Customers can’t be found right now. Try again in a moment.';
  if (found.length === 0) return 'Nobody found. Add them below.';
  return found.length === 1 ? '1 customer found.' : `${found.length} customers found. Choose one:`;
};

function customerChoices(
  region: Region,
  { form, found, searched }: CustomerStep,
  shown: FoundCustomer[],
): Html[] {
  const wanted = textOf(form, 'customer_id');
  const isOnly = found.length === 1 && textOf(form, 'name') === '';
  const first = String(found[0]?.id ?? '');
  const isThere = shown.some(({ id }) => String(id) === wanted);
  const chosen = isThere ? wanted : isOnly ? first : '';
  return shown.map(({ id, name, phone, email }) => {
    const isFocused = searched !== '' && form.message === null && String(id) === (chosen || first);
    return html`<label class="check"><input type="radio" name="customer_id" value="${id}"${String(id) === chosen && html` checked`}${isFocused && html` data-focus`}>
<span>${name}<span class="hint">${[phoneText(region, phone), email].filter(Boolean).join(' · ')}</span></span></label>`;
  });
}

/** Somebody who is not known yet. What was searched for is who they are, or their number. */
function newCustomerFields({ form, found, searched, isSearchAway }: CustomerStep): Html {
  const isNumber = /\d/.test(searched);
  const isNobody = found.length === 0 && searched !== '' && !isSearchAway;
  const prefilled = isNobody && textOf(form, 'name') === '' && textOf(form, 'phone') === '';
  const values = prefilled ? { ...form.values, [isNumber ? 'phone' : 'name']: searched } : form.values;
  const shown = { ...form, values };
  const isOpen = ['name', 'phone', 'email'].some((name) => textOf(shown, name) !== '' || form.errors[name]);
  return html`<details class="adding"${isOpen && html` open`}><summary>New customer</summary>
<div class="fields">${inputField(shown, { name: 'name', label: 'Name', canBeEmpty: true, maxLength: 200 })}
${inputField(shown, { name: 'phone', label: 'Phone', canBeEmpty: true, maxLength: 40 })}
${emailInput(shown, { name: 'email', label: 'Email', isOptional: true, maxLength: 254 })}</div></details>`;
}
