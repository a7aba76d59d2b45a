import type { CallListEntry } from '@frontdesk/contracts';
import type { ListPage } from '@frontdesk/service';
import { callAddress } from '../records/addresses.rules.ts';
import { outcomeBadge, sentimentBadge } from '../records/call-words.view.ts';
import { customerAddress } from '../records/customers-query.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { secondsText } from '../region/words.rules.ts';
import { unavailable } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { hasMore, numberedPager } from '../ui/pager.view.ts';
import { panel } from '../ui/panel.view.ts';
import { table } from '../ui/table.view.ts';
import { timeIn } from '../ui/times.view.ts';
import { CALLS_PER_PAGE, type CustomerPage } from './load-customer.ts';

/** Who called whom when, how it went and what came of it. */
export function callsCard(page: CustomerPage): Html {
  const { calls, query } = page;
  return panel({
    id: 'calls',
    isPlace: true,
    title: 'Calls',
    body: html`${
      calls === null
        ? unavailable('The calls')
        : calls.rows.length > 0
          ? list(calls, page)
          : html`<p class="empty">${
              query.calls === undefined
                ? 'No calls yet. Calls from or to this number appear here.'
                : 'There are no older calls.'
            }</p>`
    }`,
  });
}

const list = (calls: ListPage<CallListEntry[]>, { region, query, customer }: CustomerPage): Html =>
  html`${callTable(calls.rows, region)}
${numberedPager({
  of: 'calls',
  names: { back: 'Newer calls', on: 'Older calls' },
  page: query.calls,
  goesOn: hasMore(calls, query.calls, CALLS_PER_PAGE),
  hrefOf: (to) => `${customerAddress(customer.id, { ...query, calls: to })}#calls`,
})}`;

/** Calls, without whose they are. `isBrief`: beside something else. */
export const callTable = (calls: CallListEntry[], region: Region, { isBrief = false } = {}): Html =>
  table({
    rows: calls,
    isCompact: true,
    columns: [
      { name: 'When', isName: true, cell: (call) => callLink(call, region) },
      { name: 'Outcome', cell: outcomeBadge },
      !isBrief && {
        name: 'Sentiment',
        cell: ({ sentiment }) => (sentiment === null ? '–' : sentimentBadge(sentiment)),
      },
      !isBrief && { name: 'Duration', cell: ({ duration }) => secondsText(duration) },
    ],
  });

function callLink({ id, started_at, direction, test }: CallListEntry, region: Region): Html {
  const hints = [...(direction === 'outbound' ? ['Outbound'] : []), ...(test ? ['Test'] : [])];
  return html`<div><a href="${callAddress(id)}">${timeIn(region, started_at)}</a>${
    hints.length > 0 && html`<span class="hint">${hints.join(', ')}</span>`
  }</div>`;
}
