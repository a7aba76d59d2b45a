import type { Slot } from '@frontdesk/contracts';
import { appointmentAddress } from '../../domain/appointments/appointment-address.ts';
import { ANYONE } from '../../domain/appointments/moved-start.ts';
import { addressOf } from '../../domain/shared/addresses.ts';
import { clockText, clockTimeIn, dateIn, longDate } from '../../domain/shared/dates.ts';
import type { LoadedMove } from '../../use-cases/load-move.ts';
import { versionField } from '../business/frame.view.ts';
import { inputField, options } from '../shared/fields.ts';
import { type Html, html } from '../shared/html.ts';
import { layout } from '../shared/layout.ts';
import { type FormState, type PageContext, textOf } from '../shared/page-context.ts';
import { csrfField, formMessage } from '../shared/parts.ts';
import { span } from './appointment-words.ts';
import { alternativesNotice, freeTimesList, staffChoice } from './free-times.view.ts';

interface MovePage extends LoadedMove {
  form: FormState;
  alternatives: Slot[];
}

/** Another time for an appointment; for one that gave its time up, a time to come back at. */
export function movePage(context: PageContext, page: MovePage): string {
  const { appointment, region, today, chosen, from, free } = page;
  const { id, status, service_name, staff_name } = appointment;
  const address = appointmentAddress(id);
  const isBack = status === 'cancelled' || status === 'no_show';
  const action = `${address}/${isBack ? 'reactivate' : 'move'}`;
  const at = (query: { staff_id: string; date: string }) => addressOf(`${address}/move`, query);
  const choices = page.staff.map(({ id: staffId, name }) => ({ id: String(staffId), name }));
  const now = dateIn(region.zone, appointment.starts_at);
  return layout(context, {
    title: isBack ? 'Reactivate the appointment' : 'Move the appointment',
    at: '/settings/calendar',
    lead: html`<a href="${address}">${service_name}, ${longDate(region, now)}, ${span(region, appointment)}${staff_name !== null && ` with ${staff_name}`}</a>`,
    body: html`<section class="card" aria-labelledby="time-title"><h2 id="time-title">Next free times</h2>
<p>Clock times in ${region.zone}. One click ${isBack ? 'books it again' : 'moves it'}.</p>
${staffChoice([...choices, { id: ANYONE, name: 'Anyone' }].map((choice) => ({ name: choice.name, href: at({ staff_id: choice.id, date: from }), isChosen: choice.id === String(chosen) })))}
<form method="post" action="${action}" id="move-times" data-inline class="stack">${csrfField(context)}${versionField(page.etag)}
<input type="hidden" name="staff_id" value="${chosen}"><input type="hidden" name="date" value="${from}">
${problem(page)}
${freeTimesList({
  ...{ region, free, today, from },
  timeOf: ({ date, time }, isFirst) =>
    html`<button type="submit" name="starts_at" value="${date}T${time}"${isFirst && html` autofocus`}>${clockText(region, time)}<span class="for-reader">, ${longDate(region, date)}</span></button>`,
  laterAddress: (date) => at({ staff_id: String(chosen), date }),
})}</form></section>
<section class="card" aria-labelledby="other-title"><h2 id="other-title">Another time</h2>
${otherForm(context, page, { action, submit: isBack ? 'Reactivate' : 'Move' })}</section>`,
  });
}

const problem = ({ region, form, alternatives, today }: MovePage): Html | false =>
  alternatives.length > 0
    ? alternativesNotice(alternatives, {
        ...{ region, name: 'starts_at', today },
        lead: 'This time is taken, so nothing is changed. These are near it:',
      })
    : formMessage(form);

/** Any time, also one that is not offered, and anybody who performs the service. */
function otherForm(
  context: PageContext,
  { appointment, region, staff, etag, form, keeper }: MovePage,
  { action, submit }: { action: string; submit: string },
): Html {
  const { starts_at } = appointment;
  const now = `${dateIn(region.zone, starts_at)}T${clockTimeIn(region.zone, starts_at)}`;
  const values = {
    starts_at: textOf(form, 'starts_at') || now,
    staff_id: textOf(form, 'staff_id') || String(keeper),
  };
  const choices = [
    ...staff.map(({ id, name }) => ({ value: String(id), label: name })),
    { value: ANYONE, label: 'Anyone who is free' },
  ];
  return html`<form method="post" action="${action}" id="move-to" data-inline data-keep class="stack">${csrfField(context)}${versionField(etag)}
<div class="fields">${inputField({ ...form, values }, { name: 'starts_at', label: 'Date and time', type: 'datetime-local' })}
${staff.length > 0 && html`<div class="field"><label for="staff_id">With</label><select id="staff_id" name="staff_id">${options(choices, values.staff_id)}</select></div>`}</div>
<div class="actions"><button type="submit">${submit}</button></div></form>`;
}
