import type { CallMessage } from '@frontdesk/contracts';
import { callAddress, messageAddress } from '../records/addresses.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { badge } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { table } from '../ui/table.view.ts';
import { timeIn } from '../ui/times.view.ts';

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
  table({
    rows: messages,
    idOf: ({ id }) => `message-${id}`,
    columns: [
      { name: 'Received', isName: true, cell: ({ received_at }) => timeIn(region, received_at) },
      nameOf !== undefined && { name: 'Source', cell: ({ source_id }) => nameOf(source_id) },
      { name: 'Status', cell: messageOutcome },
      {
        name: 'Result',
        cell: ({ reason, call_id }) =>
          html`<div>${
            reason ?? (call_id === null ? '–' : html`<a href="${callAddress(call_id)}">Call ${call_id}</a>`)
          }</div>`,
      },
    ],
    buttons: {
      name: 'Details',
      cell: ({ id }) =>
        html`<a href="${messageAddress(id)}">Details<span class="for-reader"> of message ${id}</span></a>`,
    },
  });
