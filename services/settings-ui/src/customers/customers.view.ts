import { type CustomerListEntry, MAX_LENGTH } from '@frontdesk/contracts';
import type { ListPage } from '@frontdesk/service';
import { BOOKING, bookingAddress } from '../records/booking-query.rules.ts';
import { SEGMENT_WORDS, segmentBadge } from '../records/customer-words.view.ts';
import {
  CUSTOMERS,
  CUSTOMERS_PER_PAGE,
  type CustomersQuery,
  customerAddress,
  customersAddress,
  exportAddress,
  isFiltered,
  SEGMENTS,
} from '../records/customers-query.rules.ts';
import { quotaLine } from '../records/quota.view.ts';
import { dateIn } from '../region/dates.rules.ts';
import { countText, plural } from '../region/words.rules.ts';
import { linkTo, nameLink, unavailable } from '../ui/controls.view.ts';
import { options } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import type { PageContext } from '../ui/page-context.ts';
import { mayUse } from '../ui/page-scopes.rules.ts';
import { hasMore, numberedPager } from '../ui/pager.view.ts';
import { barePanel } from '../ui/panel.view.ts';
import { phoneLink } from '../ui/phone-link.view.ts';
import { table } from '../ui/table.view.ts';
import { dayIn } from '../ui/times.view.ts';
import type { LoadedCustomers } from './load-customers.ts';

interface CustomersPage extends LoadedCustomers {
  query: CustomersQuery;
}

export const customersPage = (context: PageContext, page: CustomersPage): string =>
  layout(context, {
    title: 'Customers',
    at: CUSTOMERS,
    lead: 'Everyone who books, calls or is added here.',
    body: barePanel(
      'Customers',
      html`<div class="customers-bar">${segments(page)}
<div class="actions"><a class="button" href="${exportAddress(page.query)}">Export CSV</a>
${addLink(context)}</div></div>
${filterForm(page)}
${
  page.list === null ? unavailable('The customers') : shown(context, page.list, page)
}${mayUse(context, 'POST', NEW) && quotaLine(page.region, page.quota)}`,
    ),
  });

/** The segments side by side, with how many customers each has; the other filters stay. */
function segments({ region, query, counts }: CustomersPage): Html {
  const all = counts && SEGMENTS.reduce((sum, segment) => sum + (counts.segments[segment] ?? 0), 0);
  const tab = (segment: CustomersQuery['segment'], name: string, count: number | null | undefined) => {
    const href = customersAddress({ ...query, segment, page: undefined });
    const current = query.segment === segment && html` aria-current="true"`;
    return html`<li><a href="${href}"${current}>${name}${
      count !== null && count !== undefined && html` <span class="count">${countText(region, count)}</span>`
    }</a></li>`;
  };
  return html`<nav class="parts" aria-label="Segments"><ul>${tab(undefined, 'All', all)}
${SEGMENTS.map((segment) => tab(segment, SEGMENT_WORDS[segment], counts?.segments[segment]))}</ul></nav>`;
}

const SORTS = [
  { value: '', label: 'Newest first' },
  { value: 'created_at', label: 'Oldest first' },
  { value: '-updated_at', label: 'Last changed' },
  { value: 'updated_at', label: 'Longest unchanged' },
  { value: 'name', label: 'Name, A to Z' },
  { value: '-name', label: 'Name, Z to A' },
];
const NEWEST_FIRST = '-created_at';

function filterForm({ query, stages: inUse }: CustomersPage): Html {
  const { search = '', segment, pipeline_stage: stage = '', sort = '' } = query;
  const known = inUse ?? [];
  const stages = stage === '' || known.includes(stage) ? known : [stage, ...known];
  return html`<form method="get" action="${CUSTOMERS}" class="filter find" role="search" aria-label="Find customers">
${segment && html`<input type="hidden" name="segment" value="${segment}">`}
<label class="wide">Search<input type="search" name="search" value="${search}" maxlength="${MAX_LENGTH.search}" spellcheck="false"
autocomplete="off" placeholder="Name, email or phone number"></label>
${
  stages.length > 0 &&
  html`<label>Pipeline stage<select name="pipeline_stage">${options(
    [{ value: '', label: 'All' }, ...stages.map((value) => ({ value, label: value }))],
    stage,
  )}</select></label>`
}
<label>Sort<select name="sort">${options(SORTS, sort === NEWEST_FIRST ? '' : sort)}</select></label>
<button type="submit">Search</button></form>`;
}

function shown(context: PageContext, list: ListPage<CustomerListEntry[]>, page: CustomersPage): Html {
  const { query } = page;
  const { similar } = page;
  const names =
    similar.length > 0 &&
    html`<section class="stack" aria-labelledby="similar-title">
<h2 id="similar-title">Similar names</h2>${customerTable(context, similar, page)}</section>`;
  if (list.rows.length === 0) return html`${empty(context, query)}${names}`;
  const pager = numberedPager({
    of: 'customers',
    names: { back: 'Previous page', on: 'Next page' },
    page: query.page,
    goesOn: hasMore(list, query.page, CUSTOMERS_PER_PAGE),
    hrefOf: (to) => customersAddress({ ...query, page: to }),
  });
  return html`<p class="hint" role="status">${totalText(list, page)}</p>${customerTable(context, list.rows, page)}${pager}${names}`;
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

const NEW = `${CUSTOMERS}/new`;
const addLink = (context: PageContext) => linkTo(context, NEW, 'Add customer', 'button primary');

const empty = (context: PageContext, query: CustomersQuery): Html =>
  Number(query.page ?? 1) > 1
    ? html`<p class="empty">The list has no page ${query.page}. <a href="${customersAddress({
        ...query,
        page: undefined,
      })}">Go to the first page</a></p>`
    : isFiltered(query)
      ? html`<p class="empty">No customers match. <a href="${CUSTOMERS}">Show all customers</a></p>`
      : html`<div class="empty stack">
<p>No customers yet. They appear here as they book through ${nameLink(context, '/settings/api#keys', 'the API')} or call${
          mayUse(context, 'GET', NEW) && '; you can add them yourself too'
        }.</p>
<p class="actions">${addLink(context)}</p></div>`;

const bookLink = ({ id, name }: CustomerListEntry): Html =>
  html`<a class="button quiet" href="${bookingAddress({ customer_id: id })}">Book<span
class="for-reader"> for ${name}</span></a>`;

function customerTable(
  context: PageContext,
  customers: CustomerListEntry[],
  { region, query }: CustomersPage,
): Html {
  const isByChange = query.sort?.endsWith('updated_at') ?? false;
  return table({
    rows: customers,
    isCompact: true,
    columns: [
      {
        name: 'Customer',
        isName: true,
        cell: ({ id, name, email }) =>
          html`<div><a href="${customerAddress(id)}">${name}</a>${
            email && html`<span class="hint">${email}</span>`
          }</div>`,
      },
      { name: 'Segment', cell: ({ segment }) => segmentBadge(segment) },
      { name: 'Phone', cell: ({ phone }) => phoneLink(region, phone) },
      { name: 'Stage', cell: ({ pipeline_stage }) => pipeline_stage },
      {
        name: isByChange ? 'Changed' : 'Added',
        cell: ({ updated_at, created_at }) =>
          dayIn(region, dateIn(region.zone, isByChange ? updated_at : created_at)),
      },
    ],
    buttons: mayUse(context, 'GET', BOOKING) && { name: 'Actions', cell: bookLink },
  });
}
