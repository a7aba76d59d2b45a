import {
  type Bookability,
  MAX_LENGTH,
  type ServiceAdmin,
  STAFF_COLORS,
  type StaffAdmin,
} from '@frontdesk/contracts';
import type { Versioned } from '@frontdesk/service';
import { staffState } from '../business/bookability.view.ts';
import { endCard } from '../business/end.view.ts';
import { calendarCards } from '../hours/calendar.view.ts';
import type { CalendarCards } from '../hours/calendar-cards.ts';
import { timeOffUndo } from '../hours/time-off.view.ts';
import { colorOf } from '../records/person.rules.ts';
import { face, inColor } from '../records/person.view.ts';
import { quotaLine, unlessFull } from '../records/quota.view.ts';
import type { QuotaUse } from '../records/quota-use.rules.ts';
import { businessPage, recordChoices, recordForm, SERVICES, STAFF } from '../records/record-form.view.ts';
import { recordState } from '../records/record-state.ts';
import type { Region } from '../region/region.rules.ts';
import { capitalised } from '../region/words.rules.ts';
import { keptFields, unavailable } from '../ui/controls.view.ts';
import { checkboxGroup, inputField, radioGroup } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { EMPTY_FORM, type FormState, isSent, type PageContext } from '../ui/page-context.ts';
import { mayUse } from '../ui/page-scopes.rules.ts';
import { barePanel, panel } from '../ui/panel.view.ts';
import { picturePanel } from './staff-picture.view.ts';

interface StaffForm {
  form: FormState;
  /** Null where scheduling can't say in time. */
  services: ServiceAdmin[] | null;
}

export const newStaffPage = (
  context: PageContext,
  page: StaffForm & { region: Region; quota: QuotaUse | null },
): string => {
  const all = (page.services ?? []).map(({ id }) => String(id));
  const form = isSent(page.form)
    ? page.form
    : { ...EMPTY_FORM, values: { service_ids: all, follows_business_hours: 'true' } };
  return businessPage(context, {
    title: 'Add a staff member',
    part: STAFF,
    body: barePanel(
      'The staff member',
      html`${quotaLine(page.region, page.quota)}${unlessFull(
        page.quota,
        staffForm(context, form, { ...page, action: `${STAFF}/new`, submit: 'Add', also: hoursChoice(form) }),
        page.form,
      )}`,
    ),
  });
};

interface StaffMemberPage extends StaffForm {
  id: number;
  /** Null where scheduling can't say in time. */
  member: Versioned<StaffAdmin> | null;
  /** Null where scheduling can't say in time. */
  bookability: Bookability | null;
  cards: Omit<CalendarCards, 'base' | 'name'>;
  refusal?: string | undefined;
  /** What was wrong with a picture. */
  pictureFault?: string | undefined;
}

export function staffMemberPage(context: PageContext, page: StaffMemberPage): string {
  const { record = null, etag = '' } = page.member ?? {};
  const base = `${STAFF}/${page.id}`;
  const name = record?.name ?? 'Staff member';
  const form = recordState(page.form, record && { etag, values: valuesOf(record) });
  return businessPage(context, {
    title: name,
    part: STAFF,
    lead: record && html`${staffState(context, record, page.bookability)} ${record.specialties.join(', ')}`,
    refusal: page.refusal,
    undo: timeOffUndo(context, { ...page.cards, base }),
    body: html`${calendarCards(context, { ...page.cards, base, name })}
${
  (record || isSent(page.form)) &&
  panel({
    id: 'details',
    isPlace: true,
    title: 'Details and services',
    body:
      record && !mayUse(context, 'POST', base)
        ? staffFacts(record, page.services)
        : staffForm(context, form, { ...page, isRecord: true, action: base, submit: 'Save details' }),
  })
}
${record && picturePanel(context, { base, record, etag, fault: page.pictureFault })}
${record && endCard(context, { kind: 'staff member', region: page.cards.region, base, record, etag })}`,
  });
}

const toList = html`<a class="button" href="${STAFF}">Back to all staff</a>`;

/** For those who don't change staff. */
function staffFacts(member: StaffAdmin, services: ServiceAdmin[] | null): Html {
  const performed = services?.filter(({ id }) => member.service_ids.includes(id)).map(({ name }) => name);
  return html`<dl class="facts"><dt>Name</dt><dd class="named">${face(member)}${member.name}</dd>
${member.specialties.length > 0 && html`<dt>Specialties</dt><dd>${member.specialties.join(', ')}</dd>`}
<dt>Performs</dt><dd>${
    performed === undefined ? unavailable('The services') : performed.join(', ') || 'No services'
  }</dd></dl>
<p class="actions">${toList}</p>`;
}

const valuesOf = (member: StaffAdmin): FormState['values'] => ({
  name: member.name,
  specialties: member.specialties.join(', '),
  service_ids: member.service_ids.map(String),
  color: colorOf(member),
});

interface FormOptions extends StaffForm {
  action: string;
  submit: string;
  isRecord?: boolean;
  /** What only a new staff member is asked. */
  also?: Html;
}

const hoursChoice = (form: FormState): Html =>
  radioGroup(form, {
    name: 'follows_business_hours',
    label: 'Works',
    choices: [
      { value: 'true', label: 'the business’s opening hours', hint: 'Changes to them apply here too.' },
      { value: 'false', label: 'hours of their own', hint: 'You enter them next.' },
    ],
  });

const staffForm = (context: PageContext, form: FormState, options: FormOptions): Html =>
  recordForm(context, form, {
    action: options.action,
    submit: options.submit,
    isRecord: options.isRecord === true,
    id: 'staff-form',
    also: toList,
    body: html`<div class="fields">${inputField(form, { name: 'name', label: 'Name', maxLength: MAX_LENGTH.name })}
${inputField(form, {
  name: 'specialties',
  label: 'Specialties',
  isOptional: true,
  placeholder: 'Colour, perms',
  hint: 'Separated by commas.',
})}</div>
${servicesField(form, options.services)}${colorField(form)}${options.also}`,
  });

/** What their appointments look like in the calendar. */
export const colorField = (form: FormState): Html =>
  radioGroup(form, {
    name: 'color',
    label: 'Colour in the calendar',
    isOptional: true,
    look: 'swatches',
    choices: STAFF_COLORS.map((color) => ({
      value: color,
      label: html`<span class="swatch"${inColor(color)}></span> ${capitalised(color)}`,
    })),
  });

function servicesField(form: FormState, services: ServiceAdmin[] | null): Html {
  if (services === null)
    return html`${unavailable('The services')}${keptFields(form, ['has_services', 'service_ids'])}`;
  if (services.length === 0)
    return html`<p class="hint">There are no services yet.
<a href="${SERVICES}/new">Add a service</a> and choose who performs it.</p>`;
  return html`<input type="hidden" name="has_services" value="1">${checkboxGroup(form, {
    name: 'service_ids',
    label: 'Performs',
    choices: recordChoices(services),
  })}`;
}
