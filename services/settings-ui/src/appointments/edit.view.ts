import { MAX_LENGTH, type Slot } from '@frontdesk/contracts';
import { alternativesNotice } from '../booking/free-times.view.ts';
import { appointmentAddress } from '../records/addresses.rules.ts';
import { span } from '../records/appointment-words.view.ts';
import { recordForm } from '../records/record-form.view.ts';
import { recordState } from '../records/record-state.ts';
import { dateIn, longDate } from '../region/dates.rules.ts';
import { durationText, moneyText } from '../region/words.rules.ts';
import { amountText } from '../services/amount.rules.ts';
import { keptFields, unavailable } from '../ui/controls.view.ts';
import { amountInput, numberInput, selectInput, textArea } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import type { FormState, PageContext } from '../ui/page-context.ts';
import { barePanel } from '../ui/panel.view.ts';
import type { LoadedEdit } from './load-edit.ts';
import { ANYONE } from './moved-start.rules.ts';

interface EditPage extends LoadedEdit {
  form: FormState;
  /** What is free in place of a time that was refused. */
  alternatives: Slot[];
}

/** What an appointment is, with whom, how long and for how much; when it is, a move says. */
export function editPage(context: PageContext, page: EditPage): string {
  const { appointment, etag, region, today, alternatives } = page;
  const address = appointmentAddress(appointment.id);
  const state = recordState(page.form, { etag, values: valuesOf(page) });
  const isTaken = alternatives.length > 0;
  const form = isTaken ? { ...state, message: null } : state;
  return layout(context, {
    title: 'Edit the appointment',
    at: '/settings/calendar',
    lead: html`<a href="${address}">${appointment.service_name}, ${longDate(region, dateIn(region.zone, appointment.starts_at))}, ${span(region, appointment)}</a>`,
    body: barePanel(
      'The appointment',
      recordForm(context, form, {
        action: `${address}/edit`,
        id: 'appointment-form',
        isRecord: true,
        submit: 'Save appointment',
        also: html`<a class="button" href="${address}">Cancel</a>
<a class="button" href="${address}/move">Move to another time</a>`,
        body: html`${
          isTaken &&
          alternativesNotice(alternatives, {
            region,
            name: 'at',
            today,
            lead: `${state.message ?? 'The time isn’t free.'} Nothing is changed yet. Choose another time to save your changes with it:`,
          })
        }<div class="fields paired">${serviceField(form, page)}${staffField(form, page)}
${numberInput(form, { name: 'duration_minutes', label: 'Duration (min)' })}
${amountInput(form, { name: 'price', label: `Price (${appointment.currency})` })}</div>
${textArea(form, { name: 'notes', label: 'Note', isOptional: true, maxLength: MAX_LENGTH.notes, rows: 4 })}`,
      }),
    ),
  });
}

const valuesOf = ({ appointment, region }: LoadedEdit): FormState['values'] => ({
  service_id: String(appointment.service_id),
  staff_id: String(appointment.staff_id ?? ANYONE),
  duration_minutes: String(appointment.duration_minutes),
  price: amountText(appointment.price, appointment.currency, region),
  notes: appointment.notes ?? '',
});

function serviceField(form: FormState, { services, region }: EditPage): Html {
  if (services === null) return html`${unavailable('The services')}${keptFields(form, ['service_id'])}`;
  return selectInput(form, {
    name: 'service_id',
    label: 'Service',
    hint: 'Another service brings its own duration and price, unless you change these too.',
    choices: services.map(({ id, name, duration_minutes, price, currency }) => ({
      value: String(id),
      label: `${name} (${durationText(duration_minutes)}, ${moneyText(region, price, currency)})`,
    })),
  });
}

function staffField(form: FormState, { staff }: EditPage): Html {
  if (staff === null) return html`${unavailable('The staff')}${keptFields(form, ['staff_id'])}`;
  if (staff.length === 0) return html`${keptFields(form, ['staff_id'])}`;
  return selectInput(form, {
    name: 'staff_id',
    label: 'With',
    choices: [
      ...staff.map(({ id, name }) => ({ value: String(id), label: name })),
      { value: ANYONE, label: 'Anyone who is free' },
    ],
  });
}
