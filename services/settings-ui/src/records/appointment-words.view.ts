import type { AppointmentStatus, DayAppointment } from '@frontdesk/contracts';
import { clockText, clockTimeIn, spanText } from '../region/dates.rules.ts';
import type { Region } from '../region/region.rules.ts';

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
export const appointmentWords = (
  { starts_at, ends_at, customer_id, service_name, status, notes_excerpt }: DayAppointment,
  { region, customers }: { region: Region; customers: ReadonlyMap<number, string> | null },
  start: string = clockTimeIn(region.zone, starts_at),
): string =>
  [
    `${clockText(region, start)} ${customerName(customers, customer_id)}`,
    service_name,
    `until ${clockText(region, endOf(region, starts_at, ends_at))}`,
    STATUS_WORDS[status],
    ...(notes_excerpt ? ['with a note'] : []),
  ].join(', ');
