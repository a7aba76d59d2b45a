import { type Customer, MAX_LENGTH } from '@frontdesk/contracts';
import type { Versioned } from '@frontdesk/service';
import { SEGMENT_WORDS } from '../records/customer-words.view.ts';
import { CUSTOMERS, customerAddress, mergeAddress, SEGMENTS } from '../records/customers-query.rules.ts';
import { recordForm } from '../records/record-form.view.ts';
import { recordState } from '../records/record-state.ts';
import { phoneText } from '../region/phone-text.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { emailInput, inputField, selectInput, textArea } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import { notice } from '../ui/notice.view.ts';
import type { FormState, PageContext } from '../ui/page-context.ts';
import { barePanel } from '../ui/panel.view.ts';

interface NewCustomerPage {
  form: FormState;
  /** The pipeline stages in use. */
  stages: readonly string[];
}

export const newCustomerPage = (context: PageContext, { form, stages }: NewCustomerPage): string =>
  layout(context, {
    title: 'Add a customer',
    at: CUSTOMERS,
    lead: html`<a href="${CUSTOMERS}">All customers</a>`,
    body: barePanel(
      'The customer',
      html`${customerForm(context, form, {
        action: `${CUSTOMERS}/new`,
        submit: 'Add customer',
        stages,
        back: CUSTOMERS,
      })}`,
    ),
  });

interface EditCustomerPage {
  id: number;
  /** Null where crm can't say in time. */
  customer: Versioned<Customer> | null;
  region: Region;
  form: FormState;
  stages: readonly string[];
  /** The other number, where somebody has to confirm it. */
  newPhone?: string | undefined;
}

export function editCustomerPage(
  context: PageContext,
  { id, customer, stages, region, newPhone, ...page }: EditCustomerPage,
): string {
  const { record = null, etag = '' } = customer ?? {};
  const form = recordState(page.form, record && { etag, values: valuesOf(record) });
  return layout(context, {
    title: record === null ? 'Edit customer' : `Edit ${record.name}`,
    at: CUSTOMERS,
    lead: html`<a href="${customerAddress(id)}">Back to the customer</a>`,
    body: barePanel(
      'The customer',
      customerForm(context, form, {
        action: customerAddress(id),
        submit: newPhone === undefined ? 'Save customer' : 'Change the number and save',
        isRecord: true,
        stages,
        back: customerAddress(id),
        question:
          record && newPhone !== undefined ? phoneQuestion(region, record, newPhone) : samePerson(id, form),
      }),
    ),
  });
}

/** A wrong number would take the customer's calls from them, so the next press says it again. */
const phoneQuestion = (region: Region, { phone }: Customer, newPhone: string): Html =>
  html`${notice(
    'waiting',
    html`<p>Change the number from <strong>${phoneText(region, phone)}</strong> to
<strong>${phoneText(region, newPhone)}</strong>?</p>
<p>Calls are matched by phone number. New calls from ${phoneText(region, newPhone)} will belong to this customer; new
calls from ${phoneText(region, phone)} won’t. Earlier calls and appointments stay. Nothing is saved yet.</p>`,
    { role: 'alert', isAnswer: true, look: 'stack' },
  )}<input type="hidden" name="confirmed_phone" value="${newPhone}">`;

/** Whose number it is already may be the same person. */
function samePerson(id: number, { faults }: FormState): Html | false {
  const [fault] = faults.phone ?? [];
  return (
    typeof fault === 'object' &&
    fault.reason === 'phone_taken' &&
    notice(
      'waiting',
      html`Are ${fault.customer.name} and this customer the same person?
<a href="${mergeAddress(id, fault.customer.id)}">Merge the two</a>`,
    )
  );
}

const valuesOf = ({ name, phone, email, segment, pipeline_stage, notes }: Customer): FormState['values'] => ({
  name,
  phone,
  email: email ?? '',
  segment,
  pipeline_stage: pipeline_stage ?? '',
  notes: notes ?? '',
});

interface FormOptions {
  action: string;
  submit: string;
  stages: readonly string[];
  /** Where people go who change nothing. */
  back: string;
  question?: Html | false;
  isRecord?: boolean;
}

const customerForm = (context: PageContext, form: FormState, options: FormOptions): Html =>
  recordForm(context, form, {
    ...options,
    id: 'customer-form',
    also: html`<a class="button" href="${options.back}">Cancel</a>`,
    body: html`${options.question}<div class="fields paired">${inputField(form, { name: 'name', label: 'Name', maxLength: MAX_LENGTH.name })}
${inputField(form, {
  name: 'phone',
  label: 'Phone',
  type: 'tel',
  maxLength: MAX_LENGTH.phone,
  hint: 'With country code, or as dialled here.',
})}
${emailInput(form, { name: 'email', label: 'Email', maxLength: MAX_LENGTH.email, isOptional: true })}
${selectInput(form, {
  name: 'segment',
  label: 'Segment',
  choices: SEGMENTS.map((value) => ({ value, label: SEGMENT_WORDS[value] })),
})}
${inputField(form, {
  name: 'pipeline_stage',
  label: 'Pipeline stage',
  maxLength: MAX_LENGTH.pipelineStage,
  isOptional: true,
  suggestions: options.stages,
})}</div>
${textArea(form, { name: 'notes', label: 'Notes', isOptional: true, maxLength: MAX_LENGTH.notes, rows: 5 })}`,
  });
