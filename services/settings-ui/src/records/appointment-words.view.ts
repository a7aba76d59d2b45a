import type { AppointmentStatus, DayAppointment } from '@frontdesk/contracts';
import { clockIn, clockText, clockTimeIn, spanText } from '../region/dates.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { badge } from '../ui/controls.view.ts';
import { type Html, html } from '../ui/html.ts';
import { type Arrival, arrivedAt } from './arrival.rules.ts';

export const STATUS_WORDS: Record<AppointmentStatus, string> = {
  scheduled: 'Scheduled',
  completed: 'Completed',
  cancelled: 'Cancelled',
  no_show: 'No-show',
};

export const STATUS_TONES = {
  scheduled: 'good',
  completed: 'off',
  cancelled: 'off',
  no_show: 'bad',
} as const satisfies Record<AppointmentStatus, string>;

/** How it stands. */
export function stateWords(region: Region, appointment: Arrival): string {
  const at = arrivedAt(appointment);
  return at === null ? STATUS_WORDS[appointment.status] : `Arrived ${clockIn(region, at)}`;
}

export const stateBadge = (region: Region, appointment: Arrival): Html =>
  badge(STATUS_TONES[appointment.status], stateWords(region, appointment));

/** That the customer has arrived, where there is no room for words. */
export const arrivalMark = (appointment: Arrival): Html | false =>
  arrivedAt(appointment) !== null && html`<span class="arrival-mark"></span>`;

/** So many of them are no accident. */
const REPEATED = 2;

/** That a customer has missed appointments before; empty where that is nothing to mention. */
export const noShowsText = (count: number | null | undefined): string =>
  (count ?? 0) >= REPEATED ? `${count} no-shows` : '';

/** The same beside a name. */
export function noShowsBadge(count: number | null | undefined): Html | false {
  const text = noShowsText(count);
  return text !== '' && html` ${badge('bad', text)}`;
}

/** Who it is; by number where the name is unknown. */
export const customerName = (customers: ReadonlyMap<number, string> | null, id: number): string =>
  customers?.get(id) ?? `Customer ${id}`;

/** From when to when, on the business's clocks. */
export const span = (
  region: Region,
  { starts_at, ends_at }: { starts_at: string; ends_at: string },
): string => spanText(region, clockTimeIn(region.zone, starts_at), endOf(region, starts_at, ends_at));

/** The midnight that closes a day is its 24:00. */
function endOf(region: Region, startsAt: string, endsAt: string): string {
  const end = clockTimeIn(region.zone, endsAt);
  return end === '00:00' && startsAt !== endsAt ? '24:00' : end;
}

/** All that is to be known at a glance, beginning with what is to be read where it is drawn. */
export function appointmentWords(
  appointment: DayAppointment,
  { region, customers }: { region: Region; customers: ReadonlyMap<number, string> | null },
  start: string = clockTimeIn(region.zone, appointment.starts_at),
): string {
  const { starts_at, ends_at, customer_id, service_name, notes_excerpt } = appointment;
  return [
    `${clockText(region, start)} ${customerName(customers, customer_id)}`,
    service_name,
    `until ${clockText(region, endOf(region, starts_at, ends_at))}`,
    stateWords(region, appointment),
    ...(notes_excerpt ? ['with a note'] : []),
  ].join(', ');
}
