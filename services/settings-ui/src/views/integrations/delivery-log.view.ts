import type { DeliveryGap, DeliverySummary, EndpointAdmin } from '@frontdesk/contracts';
import {
  DELIVERY_EVENTS,
  type DeliveryFilter,
  deliveriesAddress,
  isFiltered,
  liveDeliveriesAddress,
} from '../../domain/integrations/delivery-filter.ts';
import { isBackwards } from '../../domain/shared/addresses.ts';
import type { Region } from '../../domain/shared/region.ts';
import { latencyText } from '../../domain/shared/words.ts';
import { describedBy, fieldErrors, options } from '../shared/fields.ts';
import { type Html, html } from '../shared/html.ts';
import { EMPTY_FORM } from '../shared/page-context.ts';
import { numberedPager } from '../shared/pager.view.ts';
import { badge, unavailable } from '../shared/parts.ts';
import { momentIn } from '../shared/times.ts';
import { deliveryGapsNotice } from './delivery-gaps.view.ts';

export const DELIVERIES_PER_PAGE = 20;

interface LogCard {
  deliveries: DeliverySummary[] | null;
  endpoints: EndpointAdmin[] | null;
  filter: DeliveryFilter;
  region: Region;
}

export const deliveryLogCard = (card: LogCard & { gaps: DeliveryGap[] | null }): Html =>
  html`<section class="card" id="deliveries" aria-labelledby="deliveries-title"><h2 id="deliveries-title">Delivery log</h2>
<p>Everything sent to your endpoints, newest events first. Times are when events came in, in ${card.region.zone}.</p>
${deliveryGapsNotice(card.gaps, card.region)}${filterForm(card)}
<div id="delivery-list" data-live="${liveDeliveriesAddress(card.filter)}">${deliveryList(card)}</div></section>`;

/** The part of the card that changes by itself. */
export function deliveryList({ deliveries, endpoints, filter, region }: LogCard): Html {
  if (deliveries === null) return unavailable('The log');
  if (deliveries.length === 0) return empty(filter);
  const urls = new Map(endpoints?.map(({ id, url }) => [id, url]));
  return html`<table class="list"><thead><tr><th scope="col">Time</th><th scope="col">Event</th><th scope="col">Endpoint</th><th scope="col">Outcome</th><th scope="col">Attempts</th><th scope="col">Duration</th><th scope="col"><span class="for-reader">Details</span></th></tr></thead>
<tbody>${deliveries.map((delivery) => row(delivery, urls, region))}</tbody></table>${pages(deliveries.length, filter)}`;
}

const row = (delivery: DeliverySummary, urls: Map<number, string>, region: Region): Html => {
  const { id, event, endpoint_id, attempt_count, created_at, duration_ms } = delivery;
  return html`<tr id="delivery-${id}"><td data-label="Time">${momentIn(region, created_at)}</td>
<th scope="row" data-label="Event"><code>${event}</code></th>
<td data-label="Endpoint" class="url">${urls.get(endpoint_id) ?? `Deleted endpoint ${endpoint_id}`}</td>
<td data-label="Outcome">${outcome(delivery)}${delivery.status === 'pending' && attempt_count > 0 && next(delivery, region)}</td>
<td data-label="Attempts">${attempt_count}</td>
<td data-label="Duration" class="duration">${duration_ms === null ? '–' : latencyText(region, duration_ms)}</td>
<td class="actions"><a href="/settings/api/deliveries/${id}">Details<span class="for-reader"> of delivery ${id}</span></a></td></tr>`;
};

const next = ({ next_attempt_at: at }: DeliverySummary, region: Region): Html | false =>
  at !== null && html` <span class="hint">next attempt ${momentIn(region, at)}</span>`;

const TONES = { delivered: 'good', failed: 'bad', pending: 'waiting', cancelled: 'off' } as const;
const WORDS = { delivered: 'Delivered', failed: 'Failed', pending: 'Pending', cancelled: 'Cancelled' };

export const outcome = ({ status, http_status }: Pick<DeliverySummary, 'status' | 'http_status'>): Html =>
  html`${badge(TONES[status], WORDS[status])}${http_status !== null && html` <span class="hint">HTTP ${http_status}</span>`}`;

const empty = (filter: DeliveryFilter): Html =>
  Number(filter.page ?? 1) > 1
    ? html`<p class="empty">The log has no page ${filter.page}. <a href="${deliveriesAddress({ ...filter, page: undefined })}">Go to the first page</a></p>`
    : isFiltered(filter)
      ? html`<p class="empty">No deliveries match this filter. <a href="/settings/api#deliveries">Show all deliveries</a></p>`
      : html`<p class="empty">Nothing has been sent yet. Add an endpoint and send it a test event: it appears here at once.</p>`;

/** The log doesn't say how many there are in all. */
const pages = (count: number, filter: DeliveryFilter): Html | false =>
  numberedPager({
    ...{ of: 'deliveries', page: filter.page, goesOn: count === DELIVERIES_PER_PAGE },
    hrefOf: (to) => deliveriesAddress({ ...filter, page: to }),
  });

const TO = { name: 'to' };
const ALL = { value: '', label: 'All' };

function filterForm({ endpoints, filter }: LogCard): Html {
  const { id = '', endpoint_id = '', event = '', status = '', from, to } = filter;
  const isWrong = isBackwards(filter);
  const message = 'The last day is before the first day.';
  const form = { ...EMPTY_FORM, errors: { ...(isWrong && { to: [message] }) } };
  const urls = (endpoints ?? []).map(({ id, url }) => ({ value: String(id), label: url }));
  const events = DELIVERY_EVENTS.map((name) => ({ value: name, label: name }));
  const outcomes = Object.entries(WORDS).map(([value, label]) => ({ value, label }));
  return html`<form method="get" action="/settings/api#deliveries" class="filter" aria-label="Filter the log">
<label class="wide">Event or delivery ID<input type="search" name="id" value="${id}" maxlength="80" spellcheck="false" autocomplete="off" placeholder="evt_…"></label>
<label>Endpoint<select name="endpoint_id">${options([ALL, ...urls], endpoint_id)}</select></label>
<label>Event<select name="event">${options([ALL, ...events], event)}</select></label>
<label>Outcome<select name="status">${options([ALL, ...outcomes], status)}</select></label>
<label>From<input type="date" name="from" value="${from}"></label>
<label>To<input type="date" name="to" value="${to}"${isWrong && html` aria-invalid="true"`}${describedBy(form, TO)}></label>
<button type="submit">Filter</button>
${fieldErrors(form, TO)}</form>
${endpoint_id && html`<p><a href="/settings/api/webhooks/${endpoint_id}#again">Resend failed deliveries, or replay a period</a></p>`}`;
}
