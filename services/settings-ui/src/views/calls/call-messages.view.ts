import type { CallMessage } from '@frontdesk/contracts';
import { type Html, html } from '../shared/html.ts';
import { badge } from '../shared/parts.ts';
import { timeIn } from '../shared/times.ts';
import { messageAddress } from './call-words.ts';

const OUTCOMES = {
  received: () => badge('waiting', 'Waits to be read'),
  applied: () => badge('good', 'Read'),
  ignored: () => badge('off', 'Ignored'),
  unreadable: () => badge('bad', 'Not readable'),
};

export const messageOutcome = ({ status }: Pick<CallMessage, 'status'>): Html => OUTCOMES[status]();

/** What came in, with what came of it. `nameOf` names the source where the messages are of several. */
export const messageTable = (
  messages: CallMessage[],
  { zone, nameOf }: { zone: string; nameOf?: (sourceId: number) => string },
): Html =>
  html`<table class="list"><thead><tr><th scope="col">Came in</th>${nameOf && html`<th scope="col">Source</th>`}<th scope="col">Outcome</th><th scope="col">Result</th><th scope="col"><span class="for-reader">Details</span></th></tr></thead>
<tbody>${messages.map(
    (message) => html`<tr><th scope="row" data-label="Came in">${timeIn(zone, message.received_at)}</th>
${nameOf && html`<td data-label="Source">${nameOf(message.source_id)}</td>`}
<td data-label="Outcome">${messageOutcome(message)}</td>
<td data-label="Result"><div>${message.reason ?? (message.call_id !== null ? `Call ${message.call_id}` : '–')}</div></td>
<td class="actions"><a href="${messageAddress(message.id)}">Details<span class="for-reader"> of message ${message.id}</span></a></td></tr>`,
  )}</tbody></table>`;
