import type { AppointmentAdmin } from '@frontdesk/contracts';
import { localTime } from '@frontdesk/local-time';
import { type AppointmentRow, appointmentRecord } from './appointment.ts';
import type { Interval } from './interval.ts';

/** An appointment with what it is and who has it, by name. */
export interface NamedAppointmentRow extends AppointmentRow {
  resource_id: number;
  service_name: string;
  staff_name: string | null;
}

/** An appointment as the business's own people see it. */
export const appointmentAdminRecord = (row: NamedAppointmentRow): AppointmentAdmin => ({
  ...appointmentRecord(row),
  service_name: row.service_name,
  staff_name: row.staff_name,
  buffer_before_minutes: row.buffer_before_minutes,
  buffer_after_minutes: row.buffer_after_minutes,
});

/** Those parts of stretches that lie within the day, as RFC 3339 on the zone's clocks. */
export function stretchesWithin<Stretch extends Interval>(
  stretches: readonly Stretch[],
  day: Interval,
  timezone: string,
): (Omit<Stretch, 'start' | 'end'> & { starts_at: string; ends_at: string })[] {
  return stretches
    .map(({ start, end, ...rest }) => ({
      start: Math.max(start, day.start),
      end: Math.min(end, day.end),
      rest,
    }))
    .filter(({ start, end }) => start < end)
    .map(({ start, end, rest }) => ({
      ...rest,
      starts_at: localTime(start, timezone).iso,
      ends_at: localTime(end, timezone).iso,
    }));
}
