import type { CallBack } from '@frontdesk/contracts';
import { callAddress, MISSED, SOURCES } from '../records/addresses.rules.ts';
import { BOOKING, bookingAddress } from '../records/booking-query.rules.ts';
import { callerName, numberOf } from '../records/call-words.view.ts';
import { countText, plural } from '../region/words.rules.ts';
import { badge, unavailable } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import type { PageContext } from '../ui/page-context.ts';
import { canChange } from '../ui/page-scopes.rules.ts';
import { panel } from '../ui/panel.view.ts';
import { phoneLink, writtenNumber } from '../ui/phone-link.view.ts';
import { timeIn } from '../ui/times.view.ts';
import { callButton, deskButton } from './desk-button.view.ts';
import type { ShownToday } from './load-today.ts';

/** Who was missed and waits for a call, the latest first. */
export function callBacksCard(context: PageContext, shown: ShownToday): Html {
  const { callBacks, region } = shown;
  const total = callBacks?.open_total ?? 0;
  const more = total - (callBacks?.open.length ?? 0);
  return panel({
    id: 'call-backs',
    isPlace: true,
    title: 'To call back',
    beside: total > 0 && badge('bad', countText(region, total)),
    body: html`${
      callBacks === null
        ? unavailable('The missed calls')
        : total === 0
          ? nobody(shown)
          : html`<ul class="agenda">${callBacks.open.map((call) => row(context, call, shown))}</ul>`
    }${more > 0 && html`<p class="hint"><a href="${MISSED}">and ${countText(region, more)} more</a></p>`}`,
  });
}

const nobody = ({ sources }: ShownToday): Html =>
  sources?.length === 0
    ? html`<p class="hint">Connect your phone with a <a href="${SOURCES}">call source</a>, and callers you missed are listed here.</p>`
    : html`<p class="hint">Nobody to call back.</p>`;

function row(context: PageContext, call: CallBack, { region, customers }: ShownToday): Html {
  const { id, started_at, outcome, calls, customer_id } = call;
  const name = callerName(region, call, customers);
  const number = numberOf(call);
  const hints = [
    // Of an unknown caller it is the name.
    number !== null && name !== writtenNumber(region, number).shown && phoneLink(region, number),
    outcome === 'voicemail' && 'left a voicemail',
    calls > 1 && plural(region, calls, 'call'),
  ];
  return html`<li id="call-back-${id}"><p class="whom"><a href="${callAddress(id)}">${name}</a>
<span class="hint">${timeIn(region, started_at)}${hints.map((hint) => hint && html`, ${hint}`)}</span></p>
<div class="actions">${number !== null && callButton(region, number, name)}${
    canChange(context, BOOKING) &&
    html`<a class="button quiet" href="${bookingAddress({ call_id: id, customer_id: customer_id ?? undefined })}">Book<span
class="for-reader"> ${name}</span></a>`
  }
${deskButton(context, { action: `${callAddress(id)}/called-back`, name: 'Called back', of: name })}</div></li>`;
}

/** The way back for a caller who was marked just now. */
export const callBackUndo = (context: PageContext, { callBacks }: ShownToday, id: number): Html | false =>
  (callBacks?.done.some((call) => call.id === id && call.called_back !== null) ?? false) &&
  deskButton(context, { action: `${callAddress(id)}/not-called-back`, name: 'Undo', of: 'called back' });
