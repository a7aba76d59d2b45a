import type { CallListEntry } from '@frontdesk/contracts';
import type { ListPage } from '@frontdesk/service';
import { callAddress } from '../../domain/calls/call-addresses.ts';
import { customerAddress } from '../../domain/customers/customers-query.ts';
import type { Region } from '../../domain/shared/region.ts';
import { secondsText } from '../../domain/shared/words.ts';
import { CALLS_PER_PAGE } from '../../use-cases/load-customer.ts';
import { outcomeBadge, sentimentBadge } from '../calls/call-words.ts';
import { type Html, html } from '../shared/html.ts';
import { hasMore, numberedPager } from '../shared/pager.view.ts';
import { unavailable } from '../shared/parts.ts';
import { timeIn } from '../shared/times.ts';
import type { CustomerPage } from './customer-page.ts';

/** Who called whom when, how it went and what came of it. */
export function callsCard(page: CustomerPage): Html {
  const { calls, query } = page;
  return html`<section class="card" id="calls" aria-labelledby="calls-title"><h2 id="calls-title">Calls</h2>
${
  calls === null
    ? unavailable('The calls')
    : calls.rows.length > 0
      ? list(calls, page)
      : html`<p class="empty">${query.calls === undefined ? 'No calls yet. Calls from or to this number appear here.' : 'There are no older calls.'}</p>`
}</section>`;
}

function list(calls: ListPage<CallListEntry[]>, { region, query, customer }: CustomerPage): Html {
  return html`<table class="list compact"><thead><tr><th scope="col">When</th><th scope="col">Outcome</th><th scope="col">Sentiment</th><th scope="col">Duration</th></tr></thead>
<tbody>${calls.rows.map((call) => row(call, region))}</tbody></table>
${numberedPager({
  ...{ of: 'calls', names: { back: 'Newer calls', on: 'Older calls' } },
  ...{ page: query.calls, goesOn: hasMore(calls, query.calls, CALLS_PER_PAGE) },
  hrefOf: (to) => `${customerAddress(customer.id, { ...query, calls: to })}#calls`,
})}`;
}

function row(call: CallListEntry, region: Region): Html {
  const { id, started_at, direction, sentiment, duration, test } = call;
  const hints = [...(direction === 'outbound' ? ['Outbound'] : []), ...(test ? ['Test'] : [])];
  return html`<tr><th scope="row" data-label="When"><div><a href="${callAddress(id)}">${timeIn(region, started_at)}</a>${hints.length > 0 && html`<span class="hint">${hints.join(', ')}</span>`}</div></th>
<td data-label="Outcome">${outcomeBadge(call)}</td>
<td data-label="Sentiment">${sentiment === null ? '–' : sentimentBadge(sentiment)}</td>
<td data-label="Duration">${secondsText(duration)}</td></tr>`;
}
