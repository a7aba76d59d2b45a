import type { DeliveryGap, DeliverySummary, EndpointAdmin } from '@frontdesk/contracts';
import {
  DELIVERY_EVENTS,
  type DeliveryFilter,
  deliveriesAddress,
  isFiltered,
  liveDeliveriesAddress,
} from '../records/delivery-filter.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { latencyText } from '../region/words.rules.ts';
import { isBackwards } from '../ui/addresses.rules.ts';
import { badge, unavailable } from '../ui/controls.view.ts';
import { describedBy, fieldErrors, options } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { notice } from '../ui/notice.view.ts';
import { EMPTY_FORM } from '../ui/page-context.ts';
import { numberedPager } from '../ui/pager.view.ts';
import { panel } from '../ui/panel.view.ts';
import { table } from '../ui/table.view.ts';
import { momentIn, timeIn } from '../ui/times.view.ts';

export const DELIVERIES_PER_PAGE = 20;

interface LogCard {
  deliveries: DeliverySummary[] | null;
  endpoints: EndpointAdmin[] | null;
  filter: DeliveryFilter;
  region: Region;
}

export const deliveryLogCard = (card: LogCard & { gaps: DeliveryGap[] | null }): Html =>
  panel({
    id: 'deliveries',
    isPlace: true,
    title: 'Delivery log',
    body: html`<p>Everything sent to your endpoints, newest events first. Times are when events came in, in ${card.region.zone}.</p>
${deliveryGapsNotice(card.gaps, card.region)}${filterForm(card)}
<div id="delivery-list" data-live="${liveDeliveriesAddress(card.filter)}">${deliveryList(card)}</div>`,
  });

/** The part of the card that changes by itself. */
export function deliveryList({ deliveries, endpoints, filter, region }: LogCard): Html {
  if (deliveries === null) return unavailable('The log');
  if (deliveries.length === 0) return empty(filter);
  const urls = new Map(endpoints?.map(({ id, url }) => [id, url]));
  return html`${table({
    rows: deliveries,
    idOf: ({ id }) => `delivery-${id}`,
    columns: [
      { name: 'Time', cell: ({ created_at }) => momentIn(region, created_at) },
      { name: 'Event', isName: true, cell: ({ event }) => html`<code>${event}</code>` },
      {
        name: 'Endpoint',
        look: 'url',
        cell: ({ endpoint_id: id }) => urls.get(id) ?? `Deleted endpoint ${id}`,
      },
      {
        name: 'Outcome',
        cell: (delivery) =>
          html`${outcome(delivery)}${
            delivery.status === 'pending' && delivery.attempt_count > 0 && next(delivery, region)
          }`,
      },
      { name: 'Attempts', cell: ({ attempt_count }) => attempt_count },
      {
        name: 'Duration',
        look: 'duration',
        cell: ({ duration_ms }) => (duration_ms === null ? '–' : latencyText(region, duration_ms)),
      },
    ],
    buttons: {
      name: 'Details',
      cell: ({ id }) =>
        html`<a href="/settings/api/deliveries/${id}">Details<span class="for-reader"> of delivery ${id}</span></a>`,
    },
  })}${pages(deliveries.length, filter)}`;
}

const next = ({ next_attempt_at: at }: DeliverySummary, region: Region): Html | false =>
  at !== null && html` <span class="hint">next attempt ${momentIn(region, at)}</span>`;

const TONES = { delivered: 'good', failed: 'bad', pending: 'waiting', cancelled: 'off' } as const;
const WORDS = { delivered: 'Delivered', failed: 'Failed', pending: 'Pending', cancelled: 'Cancelled' };

export const outcome = ({ status, http_status }: Pick<DeliverySummary, 'status' | 'http_status'>): Html =>
  html`${badge(TONES[status], WORDS[status])}${
    http_status !== null && html` <span class="hint">HTTP ${http_status}</span>`
  }`;

const empty = (filter: DeliveryFilter): Html =>
  Number(filter.page ?? 1) > 1
    ? html`<p class="empty">The log has no page ${filter.page}. <a href="${deliveriesAddress({
        ...filter,
        page: undefined,
      })}">Go to the first page</a></p>`
    : isFiltered(filter)
      ? html`<p class="empty">No deliveries match this filter.
<a href="/settings/api#deliveries">Show all deliveries</a></p>`
      : html`<p class="empty">Nothing has been sent yet. Add an endpoint and send it a test event:
it appears here at once.</p>`;

/** The log doesn't say how many there are in all. */
const pages = (count: number, filter: DeliveryFilter): Html | false =>
  numberedPager({
    of: 'deliveries',
    page: filter.page,
    goesOn: count === DELIVERIES_PER_PAGE,
    hrefOf: (to) => deliveriesAddress({ ...filter, page: to }),
  });

const TO = { name: 'to' };
const ALL = { value: '', label: 'All' };

function filterForm({ endpoints, filter }: LogCard): Html {
  const { id = '', endpoint_id = '', event = '', status = '', from, to } = filter;
  const isWrong = isBackwards(filter);
  const message = 'The last day is before the first day.';
  const form = { ...EMPTY_FORM, faults: { ...(isWrong && { to: [message] }) } };
  const urls = (endpoints ?? []).map(({ id, url }) => ({ value: String(id), label: url }));
  const events = DELIVERY_EVENTS.map((name) => ({ value: name, label: name }));
  const outcomes = Object.entries(WORDS).map(([value, label]) => ({ value, label }));
  return html`<form method="get" action="/settings/api#deliveries" class="filter" aria-label="Filter the log">
<label class="wide">Event or delivery ID<input type="search" name="id" value="${id}" maxlength="80" spellcheck="false"
autocomplete="off" placeholder="evt_…"></label>
<label>Endpoint<select name="endpoint_id">${options([ALL, ...urls], endpoint_id)}</select></label>
<label>Event<select name="event">${options([ALL, ...events], event)}</select></label>
<label>Outcome<select name="status">${options([ALL, ...outcomes], status)}</select></label>
<label>From<input type="date" name="from" value="${from}"></label>
<label>To<input type="date" name="to" value="${to}"${
    isWrong && html` aria-invalid="true"`
  }${describedBy(form, TO)}></label>
<button type="submit">Filter</button>
${fieldErrors(form, TO)}</form>
${
  endpoint_id &&
  html`<p><a href="/settings/api/webhooks/${endpoint_id}#again">Resend failed deliveries, or replay a period</a></p>`
}`;
}

const NAMES = { customers: 'Customers', appointments: 'Appointments', calls: 'Calls' };

/** What the log lacks, and how to catch up: nothing can be resent that never came in. */
function deliveryGapsNotice(gaps: DeliveryGap[] | null, region: Region): Html | false {
  if (gaps === null || gaps.length === 0) return false;
  return notice(
    'waiting',
    html`<p><strong>Events may be missing from this log.</strong>
Some from these times were lost before they could be sent to your endpoints, and can’t be resent.
To catch up, fetch what has changed since:</p>
<ul>${gaps.map(
      (gap) => html`<li>${NAMES[gap.records]}, ${time(gap, region)}: <code>${request(gap)}</code></li>`,
    )}</ul>`,
    { role: 'note', label: 'Missing events', look: '' },
  );
}

const time = ({ since, until }: DeliveryGap, region: Region): Html =>
  since === null
    ? html`until ${timeIn(region, until)}`
    : html`${timeIn(region, since)} to ${timeIn(region, until)}`;

function request({ records, since }: DeliveryGap): string {
  if (since === null) return `GET /api/v1/${records}`;
  const second = Temporal.Instant.from(since).toString({ smallestUnit: 'second' });
  return `GET /api/v1/${records}?updated_since=${second}`;
}
