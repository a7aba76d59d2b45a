import type { CallBack, CallListAdminEntry } from '@frontdesk/contracts';
import { CALLS, callAddress, MISSED, SOURCES } from '../records/addresses.rules.ts';
import { numberOf } from '../records/call-words.view.ts';
import type { Region } from '../region/region.rules.ts';
import { countText, plural } from '../region/words.rules.ts';
import { badge, nameLink, unavailable } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import type { PageContext } from '../ui/page-context.ts';
import { mayUse } from '../ui/page-scopes.rules.ts';
import { barePanel, panel } from '../ui/panel.view.ts';
import { phoneLink } from '../ui/phone-link.view.ts';
import { table } from '../ui/table.view.ts';
import { timeIn } from '../ui/times.view.ts';
import { calledBackButton, undoButton } from './call-back.view.ts';
import { CALL_BACK_DAYS } from './call-backs.rules.ts';
import { callsFrame } from './calls-page.view.ts';
import type { LoadedCallBacks } from './load-calls.ts';

export const missedCallsPage = (
  context: PageContext,
  { refusal, ...loaded }: LoadedCallBacks & { refusal?: string },
): string =>
  callsFrame(context, {
    title: 'Missed calls',
    part: MISSED,
    lead: `Of the last ${CALL_BACK_DAYS} days. Times are in ${loaded.region.zone}.`,
    refusal,
    body: html`<p class="for-reader" role="status" id="live-news"></p>
<div data-live="${MISSED}/live">${callBackCards(context, loaded)}</div>`,
  });

/** What changes by itself: the callers to call back, and those who were. */
export function callBackCards(context: PageContext, { callBacks, names, region }: LoadedCallBacks): Html {
  if (callBacks === null) return barePanel('Missed calls', unavailable('The missed calls'));
  const { open, open_total: total, done } = callBacks;
  return html`${panel({
    id: 'open',
    title: 'To call back',
    beside: total > 0 && badge('bad', countText(region, total)),
    news: `${plural(region, total, 'missed caller')} to call back`,
    body: html`${open.length === 0 ? nobody(context, done) : openTable(context, open, { names, region })}
${
  total > open.length &&
  html`<p class="hint">These are the latest ${open.length}. <a href="${CALLS}?missed=true">All missed calls</a></p>`
}`,
  })}
${done.length > 0 && doneCard(context, done, { names, region })}`;
}

const nobody = (context: PageContext, done: readonly CallBack[]): Html =>
  done.length > 0
    ? html`<p class="empty">All missed calls are called back.</p>`
    : html`<p class="empty">No missed calls. When a call to one of your ${nameLink(context, SOURCES, 'sources')} isn’t answered,
it is listed here until somebody has called back.</p>`;

type Shown = Pick<LoadedCallBacks, 'names' | 'region'>;

/** By name alone: the number has a column of its own. */
const nameOf = ({ customer_id: id }: CallListAdminEntry, names: Shown['names']): string =>
  id === null ? 'Unknown caller' : (names?.get(id) ?? `Customer ${id}`);

/** What makes a call back more urgent. */
function hintOf(region: Region, { outcome, calls }: CallBack): Html | false {
  const parts = [outcome === 'voicemail' && 'Left a voicemail', calls > 1 && plural(region, calls, 'call')];
  const hints = parts.filter((part) => part !== false);
  return hints.length > 0 && html`<span class="hint">${hints.join(' · ')}</span>`;
}

/** Who said so, or the call in which somebody has talked with them since. */
function closedBy({ called_back, talked }: CallBack, region: Region): Html | null {
  if (called_back)
    return html`${timeIn(region, called_back.at)}<span class="hint">by ${called_back.by}</span>`;
  return (
    talked &&
    html`${timeIn(region, talked.at)}<span class="hint"><a href="${callAddress(talked.call_id)}">${
      talked.direction === 'inbound' ? 'They called again' : 'Outbound call'
    }</a></span>`
  );
}

const openTable = (context: PageContext, callBacks: CallBack[], { names, region }: Shown): Html =>
  table({
    rows: callBacks,
    idOf: ({ id }) => `open-${id}`,
    columns: [
      {
        name: 'Caller',
        isName: true,
        cell: (call) =>
          html`<div><a href="${callAddress(call.id)}">${nameOf(call, names)}</a>${hintOf(region, call)}</div>`,
      },
      {
        name: 'Number',
        cell: (call) => {
          const number = numberOf(call);
          return number === null ? 'Hidden' : phoneLink(region, number);
        },
      },
      { name: 'When', cell: ({ started_at }) => timeIn(region, started_at) },
      { name: 'Source', cell: ({ source }) => source },
    ],
    buttons: mayUse(context, 'POST', CALLS) && {
      name: 'Actions',
      cell: (call) => calledBackButton(context, { id: call.id, of: nameOf(call, names), returnTo: 'missed' }),
    },
  });

const doneCard = (context: PageContext, callBacks: CallBack[], { names, region }: Shown): Html =>
  panel({
    id: 'done',
    title: 'Called back',
    body: table({
      rows: callBacks,
      idOf: ({ id }) => `done-${id}`,
      columns: [
        {
          name: 'Caller',
          isName: true,
          cell: (call) => html`<a href="${callAddress(call.id)}">${nameOf(call, names)}</a>`,
        },
        {
          name: 'Missed',
          cell: ({ started_at, calls }) =>
            html`<div>${timeIn(region, started_at)}${
              calls > 1 && html`<span class="hint">${plural(region, calls, 'call')}</span>`
            }</div>`,
        },
        { name: 'Called back', cell: (call) => html`<div>${closedBy(call, region)}</div>` },
      ],
      buttons: mayUse(context, 'POST', CALLS) && {
        name: 'Actions',
        cell: (call) =>
          call.called_back &&
          undoButton(context, { id: call.id, of: nameOf(call, names), returnTo: 'missed' }),
      },
    }),
  });
