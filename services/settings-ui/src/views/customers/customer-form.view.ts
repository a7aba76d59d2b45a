import type { Customer, CustomerListEntry } from '@frontdesk/contracts';
import type { Versioned } from '@frontdesk/service';
import { CUSTOMERS, customerAddress, SEGMENTS } from '../../domain/customers/customers-query.ts';
import type { Region } from '../../domain/shared/region.ts';
import { recordForm } from '../business/frame.view.ts';
import { recordState } from '../business/record-state.ts';
import { emailInput, inputField, selectInput, textArea } from '../shared/fields.ts';
import { type Html, html } from '../shared/html.ts';
import { layout } from '../shared/layout.ts';
import type { FormState, PageContext } from '../shared/page-context.ts';
import { phoneLink } from '../shared/phone-link.ts';
import { SEGMENT_WORDS } from './customer-words.ts';

interface NewCustomerPage {
  form: FormState;
  /** The pipeline stages in use. */
  stages: readonly string[];
  /** Who has the number that was entered. */
  holder: CustomerListEntry | null;
}

export const newCustomerPage = (context: PageContext, { form, stages, holder }: NewCustomerPage): string =>
  layout(context, {
    title: 'Add a customer',
    at: CUSTOMERS,
    lead: html`<a href="${CUSTOMERS}">All customers</a>`,
    body: html`<section class="card" aria-label="The customer">
${holder && html`<p class="notice waiting">${holder.name} has this number already. <a href="${customerAddress(holder.id)}">Open ${holder.name}</a></p>`}
${customerForm(context, form, {
  ...{ action: `${CUSTOMERS}/new`, submit: 'Add customer', stages, back: CUSTOMERS },
  phone: inputField(form, {
    name: 'phone',
    label: 'Phone',
    type: 'tel',
    maxLength: 40,
    hint: 'With country code, or as dialled here.',
  }),
})}</section>`,
  });

interface EditCustomerPage {
  id: number;
  /** Null where crm can't say in time. */
  customer: Versioned<Customer> | null;
  region: Region;
  form: FormState;
  stages: readonly string[];
}

export function editCustomerPage(
  context: PageContext,
  { id, customer, stages, region, ...page }: EditCustomerPage,
): string {
  const { record = null, etag = '' } = customer ?? {};
  const form = recordState(page.form, record && { etag, values: valuesOf(record) });
  return layout(context, {
    title: record === null ? 'Edit customer' : `Edit ${record.name}`,
    at: CUSTOMERS,
    lead: html`<a href="${customerAddress(id)}">Back to the customer</a>`,
    body: html`<section class="card" aria-label="The customer">
${record && html`<p>${phoneLink(region, record.phone)} <span class="hint">can’t be changed: calls and bookings are found by it.</span></p>`}
${customerForm(context, form, {
  ...{ action: customerAddress(id), submit: 'Save customer', isRecord: true, stages },
  back: customerAddress(id),
})}</section>`,
  });
}

const valuesOf = ({ name, email, segment, pipeline_stage, notes }: Customer): FormState['values'] => ({
  ...{ name, email: email ?? '', segment, pipeline_stage: pipeline_stage ?? '', notes: notes ?? '' },
});

interface FormOptions {
  action: string;
  submit: string;
  stages: readonly string[];
  /** Where people go who change nothing. */
  back: string;
  phone?: Html;
  isRecord?: boolean;
}

const customerForm = (context: PageContext, form: FormState, options: FormOptions): Html =>
  recordForm(context, form, {
    ...options,
    id: 'customer-form',
    also: html`<a class="button" href="${options.back}">Cancel</a>`,
    body: html`<div class="fields paired">${inputField(form, { name: 'name', label: 'Name', maxLength: 200 })}
${options.phone}
${emailInput(form, { name: 'email', label: 'Email', maxLength: 254, isOptional: true })}
${selectInput(form, { name: 'segment', label: 'Segment', choices: SEGMENTS.map((value) => ({ value, label: SEGMENT_WORDS[value] })) })}
${inputField(form, { name: 'pipeline_stage', label: 'Pipeline stage', maxLength: 64, isOptional: true, suggestions: options.stages })}</div>
${textArea(form, { name: 'notes', label: 'Notes', isOptional: true, maxLength: 5_000, rows: 5 })}`,
  });
