import type { CallMessage } from '@frontdesk/contracts';
import { callAddress, messageAddress } from '../../domain/calls/call-addresses.ts';
import type { Region } from '../../domain/shared/region.ts';
import { type Html, html } from '../shared/html.ts';
import { badge } from '../shared/parts.ts';
import { timeIn } from '../shared/times.ts';

const OUTCOMES = {
  received: () => badge('waiting', 'Pending'),
  applied: () => badge('good', 'Processed'),
  ignored: () => badge('off', 'Ignored'),
  unreadable: () => badge('bad', 'Unreadable'),
};

export const messageOutcome = ({ status, is_test }: Pick<CallMessage, 'status' | 'is_test'>): Html =>
  html`${OUTCOMES[status]()}${is_test && html` ${badge('off', 'Test')}`}`;

/** What came in, with what came of it. `nameOf` names the source where the messages are of several. */
export const messageTable = (
  messages: CallMessage[],
  { region, nameOf }: { region: Region; nameOf?: (sourceId: number) => string },
): Html =>
  html`<table class="list"><thead><tr><th scope="col">Received</th>${nameOf && html`<th scope="col">Source</th>`}<th scope="col">Status</th><th scope="col">Result</th><th scope="col"><span class="for-reader">Details</span></th></tr></thead>
<tbody>${messages.map(
    (
      message,
    ) => html`<tr id="message-${message.id}"><th scope="row" data-label="Received">${timeIn(region, message.received_at)}</th>
${nameOf && html`<td data-label="Source">${nameOf(message.source_id)}</td>`}
<td data-label="Status">${messageOutcome(message)}</td>
<td data-label="Result"><div>${message.reason ?? (message.call_id === null ? '–' : html`<a href="${callAddress(message.call_id)}">Call ${message.call_id}</a>`)}</div></td>
<td class="actions"><a href="${messageAddress(message.id)}">Details<span class="for-reader"> of message ${message.id}</span></a></td></tr>`,
  )}</tbody></table>`;
