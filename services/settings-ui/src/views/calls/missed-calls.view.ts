import type { CallBack, CallListAdminEntry } from '@frontdesk/contracts';
import { CALLS, callAddress, MISSED, SOURCES } from '../../domain/calls/call-addresses.ts';
import { CALL_BACK_DAYS } from '../../domain/calls/call-backs.ts';
import type { Region } from '../../domain/shared/region.ts';
import { countText, plural } from '../../domain/shared/words.ts';
import type { LoadedCallBacks } from '../../use-cases/load-calls.ts';
import { type Html, html } from '../shared/html.ts';
import type { PageContext } from '../shared/page-context.ts';
import { unavailable } from '../shared/parts.ts';
import { phoneLink } from '../shared/phone-link.ts';
import { timeIn } from '../shared/times.ts';
import { calledBackButton, undoButton } from './call-back.view.ts';
import { numberOf } from './call-words.ts';
import { callsFrame } from './frame.view.ts';

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
  if (callBacks === null) return html`<section class="card">${unavailable('The missed calls')}</section>`;
  const { open, open_total: total, done } = callBacks;
  return html`<section class="card" aria-labelledby="open-title"><div class="heading" data-news="${plural(region, total, 'missed caller')} to call back"><h2 id="open-title">To call back</h2>${total > 0 && html`<span class="badge bad">${countText(region, total)}</span>`}</div>
${open.length === 0 ? nobody(done) : openTable(context, open, { names, region })}
${total > open.length && html`<p class="hint">These are the latest ${open.length}. <a href="${CALLS}?missed=true">All missed calls</a></p>`}</section>
${done.length > 0 && doneCard(context, done, { names, region })}`;
}

const nobody = (done: readonly CallBack[]): Html =>
  done.length > 0
    ? html`<p class="empty">All missed calls are called back.</p>`
    : html`<p class="empty">No missed calls. When a call to one of your <a href="${SOURCES}">sources</a> isn’t answered, it is listed here until somebody has called back.</p>`;

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
    html`${timeIn(region, talked.at)}<span class="hint"><a href="${callAddress(talked.call_id)}">${talked.direction === 'inbound' ? 'They called again' : 'Outbound call'}</a></span>`
  );
}

const openTable = (context: PageContext, callBacks: CallBack[], { names, region }: Shown): Html =>
  html`<table class="list"><thead><tr><th scope="col">Caller</th><th scope="col">Number</th><th scope="col">When</th><th scope="col">Source</th><th scope="col"><span class="for-reader">Actions</span></th></tr></thead>
<tbody>${callBacks.map((call) => {
    const { id, started_at, source } = call;
    const number = numberOf(call);
    const name = nameOf(call, names);
    return html`<tr id="open-${id}"><th scope="row" data-label="Caller"><div><a href="${callAddress(id)}">${name}</a>${hintOf(region, call)}</div></th>
<td data-label="Number">${number === null ? 'Hidden' : phoneLink(region, number)}</td>
<td data-label="When">${timeIn(region, started_at)}</td>
<td data-label="Source">${source}</td>
<td class="actions">${calledBackButton(context, { id, of: name, returnTo: 'missed' })}</td></tr>`;
  })}</tbody></table>`;

const doneCard = (context: PageContext, callBacks: CallBack[], { names, region }: Shown): Html =>
  html`<section class="card" aria-labelledby="done-title"><h2 id="done-title">Called back</h2>
<table class="list"><thead><tr><th scope="col">Caller</th><th scope="col">Missed</th><th scope="col">Called back</th><th scope="col"><span class="for-reader">Actions</span></th></tr></thead>
<tbody>${callBacks.map((call) => {
    const { id, started_at, called_back, calls } = call;
    const name = nameOf(call, names);
    return html`<tr id="done-${id}"><th scope="row" data-label="Caller"><a href="${callAddress(id)}">${name}</a></th>
<td data-label="Missed"><div>${timeIn(region, started_at)}${calls > 1 && html`<span class="hint">${plural(region, calls, 'call')}</span>`}</div></td>
<td data-label="Called back"><div>${closedBy(call, region)}</div></td>
<td class="actions">${called_back && undoButton(context, { id, of: name, returnTo: 'missed' })}</td></tr>`;
  })}</tbody></table></section>`;
