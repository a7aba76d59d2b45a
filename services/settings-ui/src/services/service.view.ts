import {
  type Bookability,
  MAX_CATEGORY,
  MAX_LENGTH,
  type ServiceAdmin,
  type StaffAdmin,
} from '@frontdesk/contracts';
import type { Versioned } from '@frontdesk/service';
import { serviceState } from '../business/bookability.view.ts';
import { endCard } from '../business/end.view.ts';
import { quotaLine, unlessFull } from '../records/quota.view.ts';
import type { QuotaUse } from '../records/quota-use.rules.ts';
import { businessPage, recordChoices, recordForm, SERVICES } from '../records/record-form.view.ts';
import { recordState } from '../records/record-state.ts';
import type { Region } from '../region/region.rules.ts';
import { durationText, moneyText } from '../region/words.rules.ts';
import { keptFields, unavailable } from '../ui/controls.view.ts';
import { amountInput, checkboxGroup, inputField, numberInput, textArea } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { EMPTY_FORM, type FormState, isSent, type PageContext } from '../ui/page-context.ts';
import { mayUse } from '../ui/page-scopes.rules.ts';
import { barePanel } from '../ui/panel.view.ts';
import { amountText } from './amount.rules.ts';
import { buffers, performers } from './services.view.ts';

interface NewServicePage {
  region: Region;
  form: FormState;
  /** Null where scheduling can't say in time. */
  staff: StaffAdmin[] | null;
  /** Null where that isn't known: prices are shown without it. */
  currency: string | null;
  /** Of the other services, to choose from. */
  categories: readonly string[];
  refusal?: string | undefined;
}

export const newServicePage = (
  context: PageContext,
  page: NewServicePage & { quota: QuotaUse | null },
): string =>
  businessPage(context, {
    title: 'Add a service',
    part: SERVICES,
    body: barePanel(
      'The service',
      html`${quotaLine(page.region, page.quota)}${unlessFull(
        page.quota,
        serviceForm(context, withDefaults(page), {
          ...page,
          action: `${SERVICES}/new`,
          submit: 'Add service',
        }),
        page.form,
      )}`,
    ),
  });

/** Everybody performs a new service, unless that is unchecked. */
const withDefaults = ({ form, staff }: NewServicePage): FormState =>
  isSent(form)
    ? form
    : {
        ...EMPTY_FORM,
        values: {
          duration_minutes: '30',
          buffer_before_minutes: '0',
          buffer_after_minutes: '0',
          performers: (staff ?? []).filter(({ is_active }) => is_active).map(idText),
        },
      };

interface ServicePage extends NewServicePage {
  id: number;
  /** Null where scheduling can't say in time; so for `bookability`. */
  service: Versioned<ServiceAdmin> | null;
  bookability: Bookability | null;
}

export function servicePage(
  context: PageContext,
  { id, service, bookability, ...page }: ServicePage,
): string {
  const { record = null, etag = '' } = service ?? {};
  const base = `${SERVICES}/${id}`;
  const form = recordState(page.form, record && { etag, values: valuesOf(record, page) });
  return businessPage(context, {
    title: record?.name ?? 'Service',
    part: SERVICES,
    lead: record && serviceState(context, record, bookability),
    refusal: page.refusal,
    body: html`${barePanel(
      'The service',
      record && !mayUse(context, 'POST', base)
        ? serviceFacts(record, page)
        : serviceForm(context, form, { ...page, isRecord: true, action: base, submit: 'Save service' }),
    )}
${record && endCard(context, { kind: 'service', region: page.region, base, record, etag })}`,
  });
}

const toList = html`<a class="button" href="${SERVICES}">Back to all services</a>`;

/** For those who don't change services. */
const serviceFacts = (service: ServiceAdmin, { staff, region }: NewServicePage): Html =>
  html`<dl class="facts">${service.category && html`<dt>Category</dt><dd>${service.category}</dd>`}
${service.description && html`<dt>Description</dt><dd class="as-typed">${service.description}</dd>`}
<dt>Duration</dt><dd>${durationText(service.duration_minutes)}${buffers(service)}</dd>
<dt>Price</dt><dd>${moneyText(region, service.price, service.currency)}</dd>
<dt>Performed by</dt><dd>${performers(service, staff, Number.POSITIVE_INFINITY)}</dd></dl>
<p class="actions">${toList}</p>`;

function valuesOf(service: ServiceAdmin, { staff, region }: NewServicePage): FormState['values'] {
  const performers = (staff ?? []).filter((member) => member.service_ids.includes(service.id)).map(idText);
  return {
    name: service.name,
    description: service.description ?? '',
    duration_minutes: String(service.duration_minutes),
    price: amountText(service.price, service.currency, region),
    category: service.category ?? '',
    buffer_before_minutes: String(service.buffer_before_minutes),
    buffer_after_minutes: String(service.buffer_after_minutes),
    performers,
    // So that the changes of others differ from those made here.
    shown_performers: performers,
  };
}

const idText = ({ id }: StaffAdmin) => String(id);

interface FormOptions extends NewServicePage {
  action: string;
  submit: string;
  isRecord?: boolean;
}

function serviceForm(context: PageContext, form: FormState, options: FormOptions): Html {
  const { staff, currency, categories, action, submit, isRecord = false } = options;
  return recordForm(context, form, {
    action,
    submit,
    isRecord,
    id: 'service-form',
    also: toList,
    body: html`<div class="fields">
${inputField(form, { name: 'name', label: 'Name', maxLength: MAX_LENGTH.name, placeholder: 'Haircut' })}
${inputField(form, {
  name: 'category',
  label: 'Category',
  isOptional: true,
  maxLength: MAX_CATEGORY,
  suggestions: categories,
})}</div>
${textArea(form, {
  name: 'description',
  label: 'Description',
  isOptional: true,
  maxLength: MAX_LENGTH.description,
  hint: 'Customers and the phone agent see it.',
})}
<div class="fields">${numberInput(form, { name: 'duration_minutes', label: 'Duration (min)' })}
${amountInput(form, { name: 'price', label: currency === null ? 'Price' : `Price (${currency})` })}
${numberInput(form, { name: 'buffer_before_minutes', label: 'Buffer before (min)' })}
${numberInput(form, { name: 'buffer_after_minutes', label: 'Buffer after (min)' })}</div>
${performersField(form, staff)}`,
  });
}

function performersField(form: FormState, staff: StaffAdmin[] | null): Html {
  if (staff === null)
    return html`${unavailable('The staff')}${keptFields(form, ['performers', 'shown_performers'])}`;
  if (staff.length === 0)
    return html`<p class="hint">You have no staff, so customers book the business itself, during its opening hours.</p>`;
  return html`${keptFields(form, ['shown_performers'])}
<div id="performers">${checkboxGroup(form, {
    name: 'performers',
    label: 'Performed by',
    choices: recordChoices(staff),
  })}</div>`;
}
