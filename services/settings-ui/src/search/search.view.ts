import {
  type Appointment,
  type CallListEntry,
  type CustomerListEntry,
  MAX_LENGTH,
} from '@frontdesk/contracts';
import { appointmentAddress, callAddress } from '../records/addresses.rules.ts';
import { STATUS_WORDS, span } from '../records/appointment-words.view.ts';
import { callerName, outcomeWords } from '../records/call-words.view.ts';
import { customerAddress } from '../records/customers-query.rules.ts';
import { SERVICES, STAFF } from '../records/record-form.view.ts';
import { dateIn, shortDate } from '../region/dates.rules.ts';
import { phoneText } from '../region/phone-text.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { unavailable } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import { SEARCH } from '../ui/navigation.rules.ts';
import type { PageContext } from '../ui/page-context.ts';
import { barePanel } from '../ui/panel.view.ts';
import { timeIn } from '../ui/times.view.ts';
import type { NamedRecord } from './search.rules.ts';
import type { CustomerFound, Found } from './search.ts';

interface SearchPage extends Found {
  q: string;
}

export const searchPage = (context: PageContext, page: SearchPage): string =>
  layout(context, {
    title: 'Search',
    at: SEARCH,
    lead:
      'Customers by name, email or phone number; staff and services by name; ' +
      'appointments and calls by their number or their customer; pages by name.',
    body: barePanel(
      'Search',
      html`<form method="get" action="${SEARCH}" class="filter find" role="search">
<label class="wide">Search<input type="search" name="q" value="${page.q}" maxlength="${MAX_LENGTH.search}" spellcheck="false"
autocomplete="off"></label>
<button type="submit">Search</button></form>
${results(page)}`,
    ),
  });

/** Links alone, so that the keyboard goes from one to the next. */
function results(page: SearchPage): Html {
  const groups = [
    records(page),
    customers(page),
    named('Staff', STAFF, page.staff),
    named('Services', SERVICES, page.services),
    group(
      'Pages',
      page.pages.map(({ href, name }) => entry(href, name)),
    ),
    similarNames(page),
  ];
  const isEmpty = groups.every((one) => one === false);
  return html`<div class="found" id="found">${
    isEmpty && html`<p class="empty" role="status">Nothing found.</p>`
  }${groups}</div>`;
}

const group = (title: string, entries: Html[]): Html | false =>
  entries.length > 0 && html`<section><h2>${title}</h2><ul>${entries}</ul></section>`;

/** Staff or services with the text in their names. */
function named(title: 'Staff' | 'Services', base: string, records: NamedRecord[] | null): Html | false {
  if (records === null) return unavailable(title);
  return group(
    title,
    records.filter((record) => !record.is_similar).map((record) => namedEntry(base, record)),
  );
}

const namedEntry = (base: string, { id, name, is_active }: NamedRecord, kind?: string): Html =>
  entry(`${base}/${id}`, name, [kind, !is_active && 'Inactive'].filter(Boolean).join(', '));

/**
 * Apart from what holds the text, so that nobody takes one of these for what was looked for. The keyboard
 * goes there last.
 */
function similarNames({ region, similar, staff, services }: SearchPage): Html | false {
  const similarOf = (records: NamedRecord[] | null) => (records ?? []).filter(({ is_similar }) => is_similar);
  const entries = [
    ...similar.map((customer) => customerEntry(customer, region)),
    ...similarOf(staff).map((record) => namedEntry(STAFF, record, 'Staff')),
    ...similarOf(services).map((record) => namedEntry(SERVICES, record, 'Service')),
  ];
  return (
    entries.length > 0 && html`<section data-similar><h2>Similar names</h2><ul>${entries}</ul></section>`
  );
}

const customerEntry = ({ id, name, phone, email }: CustomerListEntry, region: Region): Html =>
  entry(customerAddress(id), name, [phoneText(region, phone), email].filter(Boolean).join(', '));

const entry = (href: string, name: string | Html, hint?: string | Html): Html =>
  html`<li><a href="${href}"><span>${name}</span>${hint && html`<span class="hint">${hint}</span>`}</a></li>`;

const records = ({ appointment, call, region }: SearchPage): Html | false =>
  group('By number', [
    ...(appointment
      ? [appointmentEntry(appointment, region, `Appointment ${appointment.id}: ${appointment.service_name}`)]
      : []),
    ...(call ? [callEntry(call, region)] : []),
  ]);

function customers(page: SearchPage): Html | false {
  if (page.customers === null) return unavailable('Customers');
  return group(
    'Customers',
    page.customers.flatMap((found) => customerEntries(found, page)),
  );
}

/** A customer with their records. A record that the text also names by its number stands under “By number” alone. */
const customerEntries = (
  { customer, appointments, calls }: CustomerFound,
  { region, ...byNumber }: SearchPage,
): Html[] => [
  customerEntry(customer, region),
  ...appointments
    .filter(({ id }) => id !== byNumber.appointment?.id)
    .map((appointment) => appointmentEntry(appointment, region, `Appointment of ${customer.name}`)),
  ...calls.filter(({ id }) => id !== byNumber.call?.id).map((call) => callEntry(call, region)),
];

const appointmentEntry = (
  appointment: Pick<Appointment, 'id' | 'starts_at' | 'ends_at' | 'status'>,
  region: Region,
  name: string,
): Html =>
  entry(
    appointmentAddress(appointment.id),
    name,
    `${shortDate(region, dateIn(region.zone, appointment.starts_at))}, ` +
      `${span(region, appointment)}, ${STATUS_WORDS[appointment.status]}`,
  );

function callEntry(call: CallListEntry, region: Region): Html {
  const { id, direction, started_at } = call;
  const name = `Call ${direction === 'inbound' ? 'from' : 'to'} ${callerName(region, call, null)}`;
  return entry(callAddress(id), name, html`${timeIn(region, started_at)}, ${outcomeWords(call)}`);
}
