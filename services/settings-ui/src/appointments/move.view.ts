import { type Slot, takesSlot } from '@frontdesk/contracts';
import { alternativesNotice, freeTimesList, staffChoice } from '../booking/free-times.view.ts';
import { appointmentAddress } from '../records/addresses.rules.ts';
import { span } from '../records/appointment-words.view.ts';
import { versionField } from '../records/record-form.view.ts';
import { clockText, clockTimeIn, dateIn, longDate } from '../region/dates.rules.ts';
import { addressOf } from '../ui/addresses.rules.ts';
import { formMessage, postForm } from '../ui/controls.view.ts';
import { inputField, options } from '../ui/fields.view.ts';
import { type Html, html } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import { type FormState, isSent, type PageContext, textOf } from '../ui/page-context.ts';
import { panel } from '../ui/panel.view.ts';
import type { LoadedMove } from './load-move.ts';
import { ANYONE } from './moved-start.rules.ts';

interface MovePage extends LoadedMove {
  form: FormState;
  alternatives: Slot[];
}

/** Another time for an appointment; for one that gave its time up, a time to come back at. */
export function movePage(context: PageContext, page: MovePage): string {
  const { appointment, customer, region, today, chosen, from, free } = page;
  const { id, status, service_name, staff_name } = appointment;
  const address = appointmentAddress(id);
  const isBack = !takesSlot(status);
  const action = `${address}/${isBack ? 'reactivate' : 'move'}`;
  const at = (query: { staff_id: string; date: string }) => addressOf(`${address}/move`, query);
  const choices = page.staff.map(({ id: staffId, name }) => ({ id: String(staffId), name }));
  const now = dateIn(region.zone, appointment.starts_at);
  const isAsked = page.form.message === null && page.alternatives.length === 0 && !isSent(page.form);
  return layout(context, {
    title: isBack ? 'Reactivate the appointment' : 'Move the appointment',
    at: '/settings/calendar',
    lead: html`<a href="${address}">${customer && `${customer.name}: `}${service_name}, ${longDate(region, now)}, ${span(region, appointment)}${
      staff_name !== null && ` with ${staff_name}`
    }</a>`,
    body: html`${panel({
      id: 'time',
      title: 'Next free times',
      isStart: isAsked,
      body: html`<p>Clock times in ${region.zone}. One click ${isBack ? 'books it again' : 'moves it'}.</p>
${staffChoice(
  [...choices, { id: ANYONE, name: 'Anyone' }].map((choice) => ({
    name: choice.name,
    href: at({ staff_id: choice.id, date: from }),
    isChosen: choice.id === String(chosen),
  })),
)}
${postForm(context, {
  action,
  id: 'move-times',
  look: 'stack',
  body: html`${versionField(page.etag)}
<input type="hidden" name="staff_id" value="${chosen}"><input type="hidden" name="date" value="${from}">
${problem(page)}
${freeTimesList({
  region,
  free,
  today,
  from,
  timeOf: ({ date, time }) => {
    const day = html`<span class="for-reader">, ${longDate(region, date)}</span>`;
    return html`<button type="submit" name="starts_at" value="${date}T${time}">${clockText(region, time)}${day}</button>`;
  },
  laterAddress: (date) => at({ staff_id: String(chosen), date }),
})}`,
})}`,
    })}
${panel({ id: 'other', title: 'Another time', body: html`${otherForm(context, page, { action, submit: isBack ? 'Reactivate' : 'Move' })}` })}`,
  });
}

const problem = ({ region, form, alternatives, today }: MovePage): Html | false =>
  alternatives.length > 0
    ? alternativesNotice(alternatives, {
        region,
        name: 'starts_at',
        today,
        lead: 'This time is taken, so nothing is changed. These are near it:',
      })
    : formMessage(form);

/** Any time, also one that is not offered, and anybody who performs the service. */
function otherForm(
  context: PageContext,
  { appointment, region, staff, etag, form, keeper, from, time }: MovePage,
  { action, submit }: { action: string; submit: string },
): Html {
  const { starts_at } = appointment;
  const now = `${dateIn(region.zone, starts_at)}T${clockTimeIn(region.zone, starts_at)}`;
  const values = {
    starts_at: textOf(form, 'starts_at') || (time === undefined ? now : `${from}T${time}`),
    staff_id: textOf(form, 'staff_id') || String(keeper),
  };
  const choices = [
    ...staff.map(({ id, name }) => ({ value: String(id), label: name })),
    { value: ANYONE, label: 'Anyone who is free' },
  ];
  return postForm(context, {
    action,
    id: 'move-to',
    look: 'stack',
    asksBeforeLeaving: true,
    body: html`${versionField(etag)}
<div class="fields">
${inputField({ ...form, values }, { name: 'starts_at', label: 'Date and time', type: 'datetime-local' })}
${
  staff.length > 0 &&
  html`<div class="field"><label for="staff_id">With</label>
<select id="staff_id" name="staff_id">${options(choices, values.staff_id)}</select></div>`
}</div>
<div class="actions"><button type="submit">${submit}</button></div>`,
  });
}
