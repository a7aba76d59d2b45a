import { answerSchema, EXAMPLES, RECORDS, type RecordName } from '@frontdesk/contracts';
import { describedFields } from '../../../domain/described-fields.ts';
import { type Html, html } from '../../shared/html.ts';
import { fieldTable, recordAnchor, snippet } from './parts.ts';

const EXAMPLE_OF: Partial<Record<RecordName, object>> = {
  Appointment: EXAMPLES.appointment,
  Slot: EXAMPLES.slot,
  Customer: EXAMPLES.customer,
  Call: EXAMPLES.call,
  StaffMember: EXAMPLES.staff,
  Service: EXAMPLES.service,
};

export const recordNames = Object.keys(RECORDS) as RecordName[];

/** What operations return and events carry. */
export const recordsCard = (): Html =>
  html`<section class="card" aria-labelledby="records"><h2 id="records">Records</h2>
<p>What operations return and events carry. Fields may be added: ignore those that you don’t know.</p>
${recordNames.map(record)}</section>`;

function record(name: RecordName): Html {
  const id = recordAnchor(name);
  const fields = describedFields(answerSchema(RECORDS[name]));
  const example = EXAMPLE_OF[name];
  return html`<article class="operation" aria-labelledby="${id}"><h3 id="${id}"><a href="#${id}">${name}</a></h3>
${fieldTable(`Fields of ${name}`, fields, { showsRequired: false })}
${example && html`<details><summary>Example<span class="for-reader"> of ${name}</span></summary>${snippet(`the example of ${name}`, JSON.stringify(example, null, 2))}</details>`}</article>`;
}
