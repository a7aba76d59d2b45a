import type { Day } from '@frontdesk/contracts';
import type { TenantReads } from '@frontdesk/database';
import { localDay, localTime } from '@frontdesk/local-time';
import { listAppointmentsTouching } from '../data/appointment.repository.ts';
import { listResourcesOfDay } from '../data/day.repository.ts';
import { appointmentAdminRecord } from '../domain/appointment.ts';
import { workingTime } from '../domain/calendar.ts';
import { dayOf, stretchesWithin } from '../domain/day.ts';
import { BUSINESS } from '../domain/slot.ts';

/** One date of a business: who works when, and what is booked. Two queries, however many staff and appointments. */
export async function showDay(db: TenantReads, date: string, timezone: string): Promise<Day> {
  const day = dayOf(date, timezone);
  const rows = await listAppointmentsTouching(db, day);
  const ofResource = Map.groupBy(rows, ({ resource_id }) => resource_id);
  const resources = await listResourcesOfDay(db, { date, timezone, others: [...ofResource.keys()] });
  const within = <Stretch extends { start: number; end: number }>(stretches: readonly Stretch[]) =>
    stretchesWithin(stretches, day, timezone);
  return {
    date,
    timezone,
    starts_at: localTime(day.start, timezone).iso,
    ends_at: localTime(day.end, timezone).iso,
    columns: resources.map(({ id, name, is_active, calendar, time_off, exception }) => ({
      staff_id: id === BUSINESS ? null : id,
      name,
      is_active,
      open: is_active ? within(workingTime(calendar, [localDay(date, timezone)])) : [],
      time_off: within(time_off),
      exception,
      appointments: (ofResource.get(id) ?? []).map(appointmentAdminRecord),
    })),
  };
}
