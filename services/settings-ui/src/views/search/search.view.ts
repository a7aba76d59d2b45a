import type { Appointment, CallListEntry } from '@frontdesk/contracts';
import { appointmentAddress } from '../../domain/appointments/appointment-address.ts';
import { callAddress } from '../../domain/calls/call-addresses.ts';
import { customerAddress } from '../../domain/customers/customers-query.ts';
import { SEARCH } from '../../domain/search.ts';
import { dateIn, shortDate } from '../../domain/shared/dates.ts';
import { phoneText } from '../../domain/shared/phone-text.ts';
import type { Region } from '../../domain/shared/region.ts';
import type { CustomerFound, Found } from '../../use-cases/search.ts';
import { STATUS_WORDS, span } from '../appointments/appointment-words.ts';
import { callerName, OUTCOME_WORDS } from '../calls/call-words.ts';
import { type Html, html } from '../shared/html.ts';
import { layout } from '../shared/layout.ts';
import type { PageContext } from '../shared/page-context.ts';
import { unavailable } from '../shared/parts.ts';
import { timeIn } from '../shared/times.ts';

interface SearchPage extends Found {
  q: string;
}

export const searchPage = (context: PageContext, page: SearchPage): string =>
  layout(context, {
    title: 'Search',
    at: SEARCH,
    lead: 'Customers by name, email or phone number; appointments and calls by their number or their customer; pages by name.',
    body: html`<section class="card" aria-label="Search">
<form method="get" action="${SEARCH}" class="filter find" role="search">
<label class="wide">Search<input type="search" name="q" value="${page.q}" maxlength="200" spellcheck="false" autocomplete="off"></label>
<button type="submit">Search</button></form>
${results(page)}</section>`,
  });

/** Links alone, so that the keyboard goes from one to the next. */
function results(page: SearchPage): Html {
  const groups = [
    records(page),
    customers(page),
    group(
      'Pages',
      page.pages.map(({ href, name }) => entry(href, name)),
    ),
  ];
  const isEmpty = groups.every((one) => one === false);
  return html`<div class="found" id="found">${isEmpty && html`<p class="empty" role="status">Nothing found.</p>`}${groups}</div>`;
}

const group = (title: string, entries: Html[]): Html | false =>
  entries.length > 0 && html`<section><h2>${title}</h2><ul>${entries}</ul></section>`;

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
  entry(
    customerAddress(customer.id),
    customer.name,
    [phoneText(region, customer.phone), customer.email].filter(Boolean).join(', '),
  ),
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
    `${shortDate(region, dateIn(region.zone, appointment.starts_at))}, ${span(region, appointment)}, ${STATUS_WORDS[appointment.status]}`,
  );

function callEntry(call: CallListEntry, region: Region): Html {
  const { id, direction, missed, outcome, started_at } = call;
  const name = `Call ${direction === 'inbound' ? 'from' : 'to'} ${callerName(region, call, null)}`;
  return entry(
    callAddress(id),
    name,
    html`${timeIn(region, started_at)}, ${missed ? 'Missed' : OUTCOME_WORDS[outcome]}`,
  );
}
