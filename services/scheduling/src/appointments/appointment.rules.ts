import {
  type Appointment,
  type AppointmentAdmin,
  type AppointmentStatus,
  type DayAppointment,
  toDecimal,
  type UpdateAppointment,
} from '@frontdesk/contracts';
import { localTime } from '@frontdesk/local-time';
import type { TermsRow } from '../availability/buffers.rules.ts';

/** An appointment as it is stored. Price, duration, buffers and zone are those of the moment it was booked. */
export interface AppointmentRow extends TermsRow {
  id: number;
  customer_id: number;
  staff_id: number | null;
  starts_at: Date;
  ends_at: Date;
  local_date: string;
  timezone: string;
  status: AppointmentStatus;
  notes: string | null;
  source: string;
  version: number;
  created_at: Date;
  updated_at: Date;
  cancelled_at: Date | null;
}

/** The record of every view and of `appointment.*` events. */
export function appointmentRecord(row: AppointmentRow): Appointment {
  const start = localTime(row.starts_at.getTime(), row.timezone);
  const end = localTime(row.ends_at.getTime(), row.timezone);
  return {
    id: row.id,
    customer_id: row.customer_id,
    service_id: row.service_id,
    staff_id: row.staff_id,
    appointment_date: start.date,
    appointment_time: start.time,
    end_time: end.time,
    duration_minutes: row.duration_minutes,
    timezone: row.timezone,
    starts_at: start.iso,
    ends_at: end.iso,
    status: row.status,
    notes: row.notes,
    source: row.source,
    price: toDecimal(row.price_minor, row.currency),
    currency: row.currency,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    cancelled_at: row.cancelled_at?.toISOString() ?? null,
  };
}

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

/** The same as a calendar shows it. */
export interface DayAppointmentRow extends Omit<NamedAppointmentRow, 'notes'> {
  notes_excerpt: string | null;
}

export const dayAppointmentRecord = (row: DayAppointmentRow): DayAppointment => ({
  ...appointmentAdminRecord({ ...row, notes: null }),
  notes: null,
  notes_excerpt: row.notes_excerpt,
  version: row.version,
});

/** What decides whether a coming appointment fits its calendar. */
export type UpcomingAppointmentRow = Pick<
  NamedAppointmentRow,
  'id' | 'resource_id' | 'starts_at' | 'duration_minutes'
>;

export interface BriefAppointmentRow {
  id: number;
  starts_at: Date;
  ends_at: Date;
  service: string;
  staff: string | null;
}

/** An appointment among those that come next, on the clocks of the business. */
export function briefAppointmentRecord(row: BriefAppointmentRow, timezone: string) {
  const { id, starts_at, ends_at, service, staff } = row;
  const start = localTime(starts_at.getTime(), timezone);
  const { time: end_time } = localTime(ends_at.getTime(), timezone);
  return { id, starts_at: start.iso, appointment_time: start.time, end_time, service, staff };
}

/** What a booking asks for. `staffId` of null leaves the choice to the business. */
export interface Wish {
  date: string;
  time: string;
  serviceId: number;
  staffId: number | null;
  /** The instant, where it is known already: another staff member for an appointment does not move it in time. */
  startsAt?: number;
  /** Only an offered slot will do, also where the business's policy is `open`. */
  enforcesSlots?: boolean;
}

/** An appointment's own place, wished for again as it is. */
export function wishOf(row: AppointmentRow, timezone: string): Wish {
  const startsAt = row.starts_at.getTime();
  const { date, time } = localTime(startsAt, timezone);
  return { date, time, serviceId: row.service_id, staffId: row.staff_id, startsAt };
}

export interface AppointmentChange {
  status: AppointmentStatus;
  notes: string | null;
  /** The whole wish anew, where the change touches when, what or who; else null. */
  wish: Wish | null;
}

/**
 * What a patch changes about an appointment; null where everything it says is so already. Dates and times are read on
 * the clocks of the business's zone, also where the appointment was booked on another's.
 */
export function changeOf(
  row: AppointmentRow,
  patch: UpdateAppointment,
  timezone: string,
): AppointmentChange | null {
  const startsAt = row.starts_at.getTime();
  const before = localTime(startsAt, timezone);
  const date = patch.appointment_date ?? before.date;
  const time = patch.appointment_time ?? before.time;
  const serviceId = patch.service_id ?? row.service_id;
  const staffId = patch.staff_id === undefined ? row.staff_id : patch.staff_id;
  const isSameTime = date === before.date && time === before.time;
  const isMoved = !isSameTime || serviceId !== row.service_id || staffId !== row.staff_id;
  const status = patch.status ?? row.status;
  const notes = patch.notes === undefined ? row.notes : patch.notes;
  if (!isMoved && status === row.status && notes === row.notes) return null;
  const wish = {
    date,
    time,
    serviceId,
    staffId,
    ...(isSameTime && { startsAt }),
    ...(patch.enforce_slots && { enforcesSlots: true }),
  };
  return { status, notes, wish: isMoved ? wish : null };
}
