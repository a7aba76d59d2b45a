import { answerSchema, EXAMPLES, exampleOf, RECORDS, type RecordName } from '@frontdesk/contracts';
import { EXAMPLE_CURSOR } from '../examples/example-text.ts';
import type { Page } from '../page.ts';
import { json, paragraphs } from '../rendering/markdown.ts';
import { describedFields } from './described-fields.ts';
import { fieldTable, RECORD_NAMES, recordPath } from './field-table.ts';

const EXAMPLE_OF: Record<RecordName, object> = {
  Appointment: EXAMPLES.appointment,
  Hold: EXAMPLES.hold,
  Slot: EXAMPLES.slot,
  CustomerListEntry: EXAMPLES.customer,
  Customer: EXAMPLES.customer,
  CallListEntry: EXAMPLES.call,
  Call: EXAMPLES.call,
  StaffListEntry: EXAMPLES.staff,
  StaffMember: EXAMPLES.staff,
  Service: EXAMPLES.service,
  Business: EXAMPLES.business,
  Webhook: EXAMPLES.webhook,
  WebhookDeliveryListEntry: EXAMPLES.delivery,
  WebhookDelivery: EXAMPLES.delivery,
  DeletedRecord: { id: EXAMPLES.webhook.id, deleted: true },
  Event: { ...exampleOf('appointment.created'), cursor: EXAMPLE_CURSOR },
};

/** A record of the kind, with the fields that it has and no others. */
export function exampleRecord(name: RecordName): object {
  const names = Object.keys(answerSchema(RECORDS[name]).properties ?? {});
  return Object.fromEntries(Object.entries(EXAMPLE_OF[name]).filter(([field]) => names.includes(field)));
}

/** What operations return and events carry. */
export const recordPages = (): Page[] =>
  RECORD_NAMES.map((name) => {
    const path = recordPath(name);
    const fields = fieldTable(path, describedFields(answerSchema(RECORDS[name])), { showsRequired: false });
    const isEntry = name.endsWith('ListEntry');
    const summary = isEntry
      ? `The fields of a ${wordsOf(name)}, with an example.`
      : `The fields of the record ${name}, with an example.`;
    const text = paragraphs(
      `# ${name}`,
      `${summary} Fields may be added: ignore those that you don’t know.`,
      '## Fields',
      fields,
      '## Example',
      json(`the example of ${name}`, exampleRecord(name)),
    );
    return { path, section: 'Records', title: name, summary, isPersonal: false, markdown: () => text };
  });

/** `CallListEntry` as `call in a list`. */
const wordsOf = (name: string) =>
  `${name
    .replace('ListEntry', '')
    .replaceAll(/(?<!^)([A-Z])/g, ' $1')
    .toLowerCase()} in a list`;
