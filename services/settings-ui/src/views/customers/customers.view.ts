import type { CustomerListEntry } from '@frontdesk/contracts';
import type { ListPage } from '@frontdesk/service';
import { bookingAddress } from '../../domain/appointments/booking-query.ts';
import {
  CUSTOMERS,
  CUSTOMERS_PER_PAGE,
  type CustomersQuery,
  customerAddress,
  customersAddress,
  exportAddress,
  isFiltered,
  SEGMENTS,
} from '../../domain/customers/customers-query.ts';
import { dateIn } from '../../domain/shared/dates.ts';
import { countText, plural } from '../../domain/shared/words.ts';
import type { LoadedCustomers } from '../../use-cases/load-customers.ts';
import { options } from '../shared/fields.ts';
import { type Html, html } from '../shared/html.ts';
import { layout } from '../shared/layout.ts';
import type { PageContext } from '../shared/page-context.ts';
import { hasMore, numberedPager } from '../shared/pager.view.ts';
import { unavailable } from '../shared/parts.ts';
import { phoneLink } from '../shared/phone-link.ts';
import { dayIn } from '../shared/times.ts';
import { SEGMENT_WORDS, segmentBadge } from './customer-words.ts';

interface CustomersPage extends LoadedCustomers {
  query: CustomersQuery;
}

export const customersPage = (context: PageContext, page: CustomersPage): string =>
  layout(context, {
    title: 'Customers',
    at: CUSTOMERS,
    lead: 'Everyone who books, calls or is added here.',
    body: html`<section class="card" aria-label="Customers">
<div class="customers-bar">${segments(page)}<div class="actions"><a class="button" href="${exportAddress(page.query)}">Export CSV</a><a class="button primary" href="${CUSTOMERS}/new">Add customer</a></div></div>
${filterForm(page)}
${page.list === null ? unavailable('The customers') : shown(page.list, page)}</section>`,
  });

/** The segments side by side, with how many customers each has; the other filters stay. */
function segments({ region, query, counts }: CustomersPage): Html {
  const all = counts && SEGMENTS.reduce((sum, segment) => sum + (counts.segments[segment] ?? 0), 0);
  const tab = (segment: CustomersQuery['segment'], name: string, count: number | null | undefined) =>
    html`<li><a href="${customersAddress({ ...query, segment, page: undefined })}"${query.segment === segment && html` aria-current="true"`}>${name}${count !== null && count !== undefined && html` <span class="count">${countText(region, count)}</span>`}</a></li>`;
  return html`<nav class="parts" aria-label="Segments"><ul>${tab(undefined, 'All', all)}
${SEGMENTS.map((segment) => tab(segment, SEGMENT_WORDS[segment], counts?.segments[segment]))}</ul></nav>`;
}

const SORTS = [
  { value: '', label: 'Newest first' },
  { value: 'created_at', label: 'Oldest first' },
  { value: '-updated_at', label: 'Last changed' },
  { value: 'updated_at', label: 'Longest unchanged' },
];
const NEWEST_FIRST = '-created_at';

function filterForm({ query, stages: inUse }: CustomersPage): Html {
  const { search = '', segment, pipeline_stage: stage = '', sort = '' } = query;
  const known = inUse ?? [];
  const stages = stage === '' || known.includes(stage) ? known : [stage, ...known];
  return html`<form method="get" action="${CUSTOMERS}" class="filter find" role="search" aria-label="Find customers">
${segment && html`<input type="hidden" name="segment" value="${segment}">`}
<label class="wide">Search<input type="search" name="search" value="${search}" maxlength="200" spellcheck="false" autocomplete="off" placeholder="Name, email or phone number"></label>
${stages.length > 0 && html`<label>Pipeline stage<select name="pipeline_stage">${options([{ value: '', label: 'All' }, ...stages.map((value) => ({ value, label: value }))], stage)}</select></label>`}
<label>Sort<select name="sort">${options(SORTS, sort === NEWEST_FIRST ? '' : sort)}</select></label>
<button type="submit">Search</button></form>`;
}

function shown(list: ListPage<CustomerListEntry[]>, page: CustomersPage): Html {
  const { query } = page;
  if (list.rows.length === 0) return empty(query);
  return html`<p class="hint" role="status">${totalText(list, page)}</p>${table(list.rows, page)}${numberedPager(
    {
      ...{ of: 'customers', names: { back: 'Previous page', on: 'Next page' } },
      ...{ page: query.page, goesOn: hasMore(list, query.page, CUSTOMERS_PER_PAGE) },
      hrefOf: (to) => customersAddress({ ...query, page: to }),
    },
  )}`;
}

function totalText(
  { rows, total, total_is_estimate }: ListPage<unknown[]>,
  { region, query }: CustomersPage,
): string {
  const first = (Number(query.page ?? 1) - 1) * CUSTOMERS_PER_PAGE + 1;
  const all = `${total_is_estimate ? 'about ' : ''}${plural(region, total, 'customer')}`;
  const found = isFiltered(query) ? `${all} found` : all;
  if (rows.length === total) return found;
  return `${countText(region, first)}–${countText(region, first + rows.length - 1)} of ${found}`;
}

const addFirst = () =>
  html`<p class="actions"><a class="button primary" href="${CUSTOMERS}/new">Add customer</a></p>`;

const empty = (query: CustomersQuery): Html =>
  Number(query.page ?? 1) > 1
    ? html`<p class="empty">The list has no page ${query.page}. <a href="${customersAddress({ ...query, page: undefined })}">Go to the first page</a></p>`
    : isFiltered(query)
      ? html`<p class="empty">No customers match. <a href="${CUSTOMERS}">Show all customers</a></p>`
      : html`<div class="empty stack"><p>No customers yet. They appear here as they book through <a href="/settings/api#keys">the API</a> or call; you can add them yourself too.</p>${addFirst()}</div>`;

function table(customers: CustomerListEntry[], { region, query }: CustomersPage): Html {
  const isByChange = query.sort?.endsWith('updated_at') ?? false;
  const date = isByChange ? 'Changed' : 'Added';
  return html`<table class="list compact"><thead><tr><th scope="col">Customer</th><th scope="col">Segment</th><th scope="col">Phone</th><th scope="col">Pipeline stage</th><th scope="col">${date}</th><th scope="col"><span class="for-reader">Actions</span></th></tr></thead>
<tbody>${customers.map(
    (
      customer,
    ) => html`<tr><th scope="row" data-label="Customer"><div><a href="${customerAddress(customer.id)}">${customer.name}</a>${customer.email && html`<span class="hint">${customer.email}</span>`}</div></th>
<td data-label="Segment">${segmentBadge(customer.segment)}</td>
<td data-label="Phone">${phoneLink(region, customer.phone)}</td>
<td data-label="Stage">${customer.pipeline_stage}</td>
<td data-label="${date}">${dayIn(region, dateIn(region.zone, isByChange ? customer.updated_at : customer.created_at))}</td>
<td class="actions"><a class="button quiet" href="${bookingAddress({ customer_id: customer.id })}">Book<span class="for-reader"> for ${customer.name}</span></a></td></tr>`,
  )}</tbody></table>`;
}
