import type { Bookability, ServiceAdmin, StaffAdmin } from '@frontdesk/contracts';
import type { Versioned } from '@frontdesk/service';
import { amountText } from '../../domain/business/amount.ts';
import type { QuotaUse } from '../../domain/quota-use.ts';
import type { Region } from '../../domain/shared/region.ts';
import { amountInput, checkboxGroup, inputField, numberInput, textArea } from '../shared/fields.ts';
import { type Html, html } from '../shared/html.ts';
import { EMPTY_FORM, type FormState, isSent, type PageContext } from '../shared/page-context.ts';
import { keptFields, unavailable } from '../shared/parts.ts';
import { quotaLine, unlessFull } from '../shared/quota.view.ts';
import { serviceState } from './bookability.view.ts';
import { endCard } from './end.view.ts';
import { businessPage, recordChoices, recordForm, SERVICES } from './frame.view.ts';
import { recordState } from './record-state.ts';

interface NewServicePage {
  region: Region;
  form: FormState;
  /** Null where scheduling can't say in time. */
  staff: StaffAdmin[] | null;
  /** Null where that isn't known: prices are shown without it. */
  currency: string | null;
  refusal?: string | undefined;
}

export const newServicePage = (
  context: PageContext,
  page: NewServicePage & { quota: QuotaUse | null },
): string =>
  businessPage(context, {
    title: 'Add a service',
    part: SERVICES,
    body: html`<section class="card" aria-label="The service">${quotaLine(page.region, page.quota)}${unlessFull(page.quota, serviceForm(context, withDefaults(page), { ...page, action: `${SERVICES}/new`, submit: 'Add service' }), page.form)}</section>`,
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
    lead: record && serviceState(record, bookability),
    refusal: page.refusal,
    body: html`<section class="card" aria-label="The service">${serviceForm(context, form, { ...page, isRecord: true, action: base, submit: 'Save service' })}</section>
${record && endCard(context, { kind: 'service', region: page.region, base, record, etag })}`,
  });
}

function valuesOf(service: ServiceAdmin, { staff, region }: NewServicePage): FormState['values'] {
  const performers = (staff ?? []).filter((member) => member.service_ids.includes(service.id)).map(idText);
  return {
    name: service.name,
    description: service.description ?? '',
    duration_minutes: String(service.duration_minutes),
    price: amountText(service.price, service.currency, region),
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
  const { staff, currency, action, submit, isRecord = false } = options;
  return recordForm(context, form, {
    ...{ action, submit, isRecord, id: 'service-form' },
    also: html`<a class="button" href="${SERVICES}">Back to all services</a>`,
    body: html`<div class="short">${inputField(form, { name: 'name', label: 'Name', maxLength: 200, placeholder: 'Haircut' })}</div>
${textArea(form, { name: 'description', label: 'Description', isOptional: true, maxLength: 2_000, hint: 'Customers and the phone agent see it.' })}
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
    return html`<p class="hint">The business has no staff, so services are booked with the business itself, during its opening hours.</p>`;
  return html`${keptFields(form, ['shown_performers'])}
<div id="performers">${checkboxGroup(form, {
    name: 'performers',
    label: 'Performed by',
    choices: recordChoices(staff),
  })}</div>`;
}
