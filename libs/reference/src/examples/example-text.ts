import type { Operation } from '@frontdesk/contracts';
import type { Reader } from '../page.ts';
import { pageLink, settingsLink } from '../rendering/links.ts';
import { codeBlock, paragraphs, UNFINISHED } from '../rendering/markdown.ts';
import { type ExampleNeed, exampleCommand } from './example-command.ts';

/** A cursor as it looks; it opens no list. */
export const EXAMPLE_CURSOR = 'AcQm0Zs7Xy3bK1vUeR8pWnTg5hJdL2fO6iA9cMqE4sVY';

/** What an admin does so that an example can run. */
const CURES: Record<ExampleNeed, (from: string, reader: Reader) => string> = {
  service: (_from, reader) =>
    `You have no services yet. ${settingsLink(reader, 'Add one', '/settings/business/services/new')}, and this example uses it.`,
  staff: (_from, reader) =>
    `You have no staff yet. ${settingsLink(reader, 'Add a staff member', '/settings/business/staff/new')}, and this example uses them.`,
  booking: () =>
    'No free time in the next two weeks. Set up [services](/settings/business/services), [staff](/settings/business/staff) and [hours](/settings/business/opening-hours), and this example uses a free time.',
  customer: (from) =>
    `You have no customers yet. [Add one](${pageLink(from, 'operations/create-customer')}), then reload this page.`,
  appointment: (from) =>
    `You have no appointments yet. [Book one](${pageLink(from, 'operations/create-appointment')}), then reload this page.`,
  call: (_from, reader) =>
    `You have no calls yet. ${settingsLink(reader, 'Connect a call source', '/settings/calls/sources')}; a test call is enough.`,
};

/** What an example acts on, which another one has made. */
function actsOn({ resource, id }: Operation, from: string): string {
  const made = (what: string, title: string, operation: string) =>
    `The command acts on ${what} of [${title}](${pageLink(from, `operations/${operation}`)}), in the same terminal.`;
  if (resource === 'webhooks') return made('the endpoint', 'Add a webhook endpoint', 'create-webhook');
  if (id === 'book-hold')
    return made('the customer of that page and on the hold', 'Hold a time', 'create-hold');
  if (resource === 'holds') return made('the hold', 'Hold a time', 'create-hold');
  return 'The command acts on the customer and the appointment of that page.';
}

/**
 * A command that runs as it is; where the business lacks what it takes, one that can't be copied and says what to do.
 */
export function exampleOfOperation(operation: Operation, reader: Reader, from: string): string {
  const { url, records, settings } = reader;
  const { text, isOwn, missing } = exampleCommand(operation, url, records);
  const label = `the command of ${operation.title}`;
  if (missing === null) {
    const notes = [
      `Set a key first, as [First request](${pageLink(from, 'first-request')}) says.`,
      text.includes(':?') && actsOn(operation, from),
      isOwn && (settings ? 'Ids, dates and times are your own.' : 'Put in ids, dates and times of your own.'),
    ];
    return paragraphs(notes.filter(Boolean).join(' '), codeBlock('sh', label, text));
  }
  const cure =
    records[missing] === undefined
      ? 'The values in brackets can’t be loaded right now. Reload this page in a moment.'
      : CURES[missing](from, reader);
  return paragraphs(`> ${cure}`, codeBlock('sh', `${UNFINISHED} ${label}`, text));
}
