import type { DayAppointment } from '@frontdesk/contracts';
import { mayBeNoShow } from '../appointments/may-end.rules.ts';
import { appointmentAddress } from '../records/addresses.rules.ts';
import {
  customerName,
  noShowsBadge,
  STATUS_WORDS,
  span,
  stateBadge,
} from '../records/appointment-words.view.ts';
import { arrivedAt } from '../records/arrival.rules.ts';
import { BOOKING } from '../records/booking-query.rules.ts';
import { face, personOf } from '../records/person.view.ts';
import { clockIn } from '../region/dates.rules.ts';
import { countText } from '../region/words.rules.ts';
import { badge, unavailable } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { notice } from '../ui/notice.view.ts';
import type { PageContext } from '../ui/page-context.ts';
import { canChange } from '../ui/page-scopes.rules.ts';
import { panel } from '../ui/panel.view.ts';
import { callButton, deskButton } from './desk-button.view.ts';
import type { ShownToday } from './load-today.ts';
import { agendaOf, stateAt } from './today.rules.ts';

const STATES: Readonly<Record<Exclude<ReturnType<typeof stateAt>, 'arrived'>, Parameters<typeof badge>>> = {
  to_come: ['off', STATUS_WORDS.scheduled],
  now: ['good', 'Now'],
  unmarked: ['waiting', 'Not marked yet'],
  completed: ['off', STATUS_WORDS.completed],
  no_show: ['bad', STATUS_WORDS.no_show],
  cancelled: ['off', STATUS_WORDS.cancelled],
};

/** Who comes today, by time: those to come in sight, those that are over or marked behind a line above them. */
export function agendaCard(context: PageContext, shown: ShownToday): Html {
  return panel({
    id: 'agenda',
    isPlace: true,
    title: 'Appointments',
    isUntitled: true,
    body: html`${agenda(context, shown)}
<p class="hint">Times are in ${shown.region.zone}. <a href="/settings/calendar">Calendar</a></p>`,
  });
}

function agenda(context: PageContext, shown: ShownToday): Html {
  const { day, now, region, customers, isDayOld } = shown;
  if (day === null) return unavailable('The appointments');
  const { coming, earlier, unmarked } = agendaOf(day, now);
  const rows = (appointments: readonly DayAppointment[]) =>
    html`<ol class="agenda">${appointments.map((appointment) => row(context, appointment, shown))}</ol>`;
  const isClosed = day.columns.every(({ open }) => open.length === 0);
  return html`${
    isDayOld &&
    notice('waiting', 'The appointments can’t be updated right now, so they may be out of date.', {
      role: 'status',
    })
  }${customers === null && notice('waiting', 'Names can’t be shown right now.', { role: 'status' })}${
    earlier.length > 0 &&
    html`<details class="earlier"${coming.length === 0 && html` open`}>
<summary>${countText(region, earlier.length)} earlier${
      unmarked > 0 && html` ${badge('waiting', `${countText(region, unmarked)} not marked yet`)}`
    }</summary>${rows(earlier)}</details>`
  }${
    coming.length > 0
      ? rows(coming)
      : earlier.length > 0
        ? html`<p class="hint">Nothing else today.</p>`
        : html`<p class="empty">Nothing is booked today${isClosed && ', and nobody works'}.${
            canChange(context, BOOKING) && html` <a href="${BOOKING}">Book an appointment</a>`
          }</p>`
  }`;
}

function row(context: PageContext, appointment: DayAppointment, shown: ShownToday): Html {
  const { region, customers, phones, now } = shown;
  const { id, customer_id, service_name, staff_name, starts_at } = appointment;
  const name = customerName(customers, customer_id);
  const phone = phones.get(customer_id);
  const state = stateAt(appointment, now);
  const isOn = state === 'now' || state === 'arrived';
  return html`<li id="appointment-${id}"${isOn && html` class="is-on"`}>
<time datetime="${starts_at}">${span(region, appointment)}</time>
<p class="whom"><a href="${appointmentAddress(id)}">${name}</a>${noShowsBadge(appointment.customer_no_shows)}
<span class="hint">${service_name}</span></p>
<p class="staff">${staff_name !== null && html`${faceOf(appointment, shown)}<span><span class="for-reader">with </span>${staff_name}</span>`}</p>
${state === 'arrived' ? stateBadge(region, appointment) : badge(...STATES[state])}
<div class="actions">${buttons(context, appointment, shown, name)}${
    phone !== undefined && callButton(region, phone, name)
  }</div></li>`;
}

function faceOf({ staff_id }: DayAppointment, { day }: ShownToday): Html | false {
  const column = day?.columns.find((one) => one.staff_id === staff_id);
  return column !== undefined && face(personOf(column));
}

/** One press each. Nobody can say before the start whether somebody comes. */
function buttons(
  context: PageContext,
  appointment: DayAppointment,
  shown: ShownToday,
  name: string,
): Html | false {
  const { id, status, version, starts_at } = appointment;
  const { region, now } = shown;
  const of = `${name}, ${clockIn(region, starts_at)}`;
  if (status !== 'scheduled') return markUndo(context, shown, appointment);
  const hasArrived = arrivedAt(appointment) !== null;
  const mark = (verb: string, words: string) =>
    deskButton(context, { action: `${appointmentAddress(id)}/${verb}`, name: words, of, version });
  return html`${!hasArrived && mark('arrive', 'Arrived')}${mark('complete', 'Complete')}${
    hasArrived
      ? markUndo(context, shown, appointment)
      : mayBeNoShow(appointment, now) && mark('no-show', 'No-show')
  }`;
}

/** The way back for an appointment of the day that was marked. */
export function markUndo(
  context: PageContext,
  { region, customers }: ShownToday,
  appointment: DayAppointment,
): Html | false {
  const { id, status, customer_id, starts_at, version } = appointment;
  const hasArrived = arrivedAt(appointment) !== null;
  if (!hasArrived && status !== 'completed' && status !== 'no_show') return false;
  const name = customerName(customers, customer_id);
  return deskButton(context, {
    action: `${appointmentAddress(id)}/${hasArrived ? 'not-arrived' : 'reactivate'}`,
    name: 'Undo',
    of: `${hasArrived ? 'the arrival of ' : ''}${name}, ${clockIn(region, starts_at)}`,
    version,
  });
}
