import {
  type Appointment,
  type AppointmentAdmin,
  type AppointmentStatus,
  type CreateAppointment,
  type DayAppointment,
  type FieldFault,
  type FieldFaults,
  takesSlot,
  toDecimal,
  toMinor,
  type UpdateAppointmentAdmin,
} from '@frontdesk/contracts';
import { localTime } from '@frontdesk/local-time';
import { type ServiceTerms, type TermsRow, termsOf } from '../availability/buffers.rules.ts';
import { noAmount } from '../services/service.rules.ts';

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
  /** Read it by `arrivedAt`. */
  arrived_at: Date | null;
  /** Read it by `cancellationReason`. */
  cancellation_reason: string | null;
}

type UnversionedColumns = Pick<AppointmentRow, 'status' | 'arrived_at' | 'cancellation_reason'>;

// A process of the release before changes the status alone, and leaves behind an arrival or a reason that no longer means anything.
/** When the customer was marked as arrived. */
export const arrivedAt = ({ status, arrived_at }: UnversionedColumns) =>
  takesSlot(status) ? arrived_at : null;
export const cancellationReason = ({ status, cancellation_reason }: UnversionedColumns) =>
  status === 'cancelled' ? cancellation_reason : null;

/** When, what, by whom and for how much: also of a hold. */
export function placeRecord(row: Omit<AppointmentRow, 'customer_id' | 'status'>) {
  const start = localTime(row.starts_at.getTime(), row.timezone);
  const end = localTime(row.ends_at.getTime(), row.timezone);
  return {
    service_id: row.service_id,
    staff_id: row.staff_id,
    appointment_date: start.date,
    appointment_time: start.time,
    end_time: end.time,
    duration_minutes: row.duration_minutes,
    timezone: row.timezone,
    starts_at: start.iso,
    ends_at: end.iso,
    price: toDecimal(row.price_minor, row.currency),
    currency: row.currency,
  };
}

/** The record of every view and of `appointment.*` events. */
export function appointmentRecord(row: AppointmentRow): Appointment {
  const { price, currency, ...place } = placeRecord(row);
  return {
    id: row.id,
    customer_id: row.customer_id,
    ...place,
    status: row.status,
    notes: row.notes,
    source: row.source,
    price,
    currency,
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
  customer_no_shows: number;
}

/** An appointment as the business's own people see it. */
export const appointmentAdminRecord = (row: NamedAppointmentRow): AppointmentAdmin => ({
  ...appointmentRecord(row),
  service_name: row.service_name,
  staff_name: row.staff_name,
  buffer_before_minutes: row.buffer_before_minutes,
  buffer_after_minutes: row.buffer_after_minutes,
  arrived_at: arrivedAt(row)?.toISOString() ?? null,
  cancellation_reason: cancellationReason(row),
  customer_no_shows: row.customer_no_shows,
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
  /** Other than the service's. */
  durationMinutes?: number;
  /** Other than the service's, in its currency. */
  price?: number;
  /** Only an offered slot will do, also where the business's policy is `open`. */
  enforcesSlots?: boolean;
}

/** What a request to book or to hold asks for. */
export const wishOfRequest = (
  wanted: Pick<
    CreateAppointment,
    'appointment_date' | 'appointment_time' | 'service_id' | 'staff_id' | 'enforce_slots'
  >,
): Wish => ({
  date: wanted.appointment_date,
  time: wanted.appointment_time,
  serviceId: wanted.service_id,
  staffId: wanted.staff_id ?? null,
  enforcesSlots: wanted.enforce_slots === true,
});

/** An appointment's own place, wished for again as it is. */
export function wishOf(row: AppointmentRow, timezone: string): Wish {
  const startsAt = row.starts_at.getTime();
  const { date, time } = localTime(startsAt, timezone);
  return { date, time, serviceId: row.service_id, staffId: row.staff_id, startsAt };
}

/** Kept beside the record: changing them makes no version. */
export interface UnversionedFields {
  isArrived: boolean;
  cancellationReason: string | null;
}

export interface AppointmentChange extends UnversionedFields {
  status: AppointmentStatus;
  notes: string | null;
  /** Its own terms, with another length or price where the patch says so. Another service brings its own: see the wish. */
  terms: ServiceTerms;
  /** The whole wish anew, where the change touches when, what or who; else null. */
  wish: Wish | null;
}

const notInThisStatus = (field: string, statuses: string): FieldFault => ({
  text: `The ${field} field can be set only for an appointment that is ${statuses}.`,
  reason: 'not_in_this_status',
});

/** What is wrong with a patch of this appointment, whatever else is booked. */
export function patchFaults(row: AppointmentRow, patch: UpdateAppointmentAdmin): FieldFaults {
  const { status = row.status, service_id = row.service_id, price } = patch;
  const faults: FieldFaults = {};
  if (patch.arrived && !takesSlot(status))
    faults.arrived = [notInThisStatus('arrived', 'scheduled or completed')];
  if (patch.cancellation_reason?.trim() && status !== 'cancelled')
    faults.cancellation_reason = [notInThisStatus('cancellation_reason', 'cancelled')];
  const isAmount = price === undefined || toMinor(price, row.currency) !== null;
  if (service_id === row.service_id && !isAmount) faults.price = [noAmount('price', row.currency)];
  return faults;
}

/**
 * What a patch without faults changes about an appointment; null where everything it says is so already. Dates and times are read on
 * the clocks of the business's zone, also where the appointment was booked on another's.
 */
export function changeOf(
  row: AppointmentRow,
  patch: UpdateAppointmentAdmin,
  timezone: string,
): AppointmentChange | null {
  const status = patch.status ?? row.status;
  const wish = changedWish(row, patch, timezone);
  // Who is here today is not here yet on another day.
  const isOtherDay = wish !== null && wish.date !== localTime(row.starts_at.getTime(), timezone).date;
  const change = {
    status,
    notes: patch.notes === undefined ? row.notes : patch.notes,
    terms: changedTerms(row, patch),
    ...changedUnversionedFields(row, isOtherDay ? { arrived: false, ...patch } : patch, status),
    wish,
  };
  const isChange =
    change.wish !== null ||
    isLengthChanged(row, change) ||
    isRecordChanged(row, change) ||
    areUnversionedFieldsChanged(row, change);
  return isChange ? change : null;
}

function changedTerms(
  row: AppointmentRow,
  { duration_minutes, price }: UpdateAppointmentAdmin,
): ServiceTerms {
  const terms = termsOf(row);
  return {
    ...terms,
    durationMinutes: duration_minutes ?? terms.durationMinutes,
    priceMinor: (price === undefined ? null : toMinor(price, row.currency)) ?? terms.priceMinor,
  };
}

function changedUnversionedFields(
  row: AppointmentRow,
  patch: UpdateAppointmentAdmin,
  status: AppointmentStatus,
): UnversionedFields {
  const { arrived = arrivedAt(row) !== null, cancellation_reason = cancellationReason(row) } = patch;
  const reason = cancellation_reason?.trim() || null;
  return {
    isArrived: takesSlot(status) && arrived,
    cancellationReason: status === 'cancelled' ? reason : null,
  };
}

function changedWish(row: AppointmentRow, patch: UpdateAppointmentAdmin, timezone: string): Wish | null {
  const startsAt = row.starts_at.getTime();
  const before = localTime(startsAt, timezone);
  const date = patch.appointment_date ?? before.date;
  const time = patch.appointment_time ?? before.time;
  const serviceId = patch.service_id ?? row.service_id;
  const staffId = patch.staff_id === undefined ? row.staff_id : patch.staff_id;
  const isSameTime = date === before.date && time === before.time;
  if (isSameTime && serviceId === row.service_id && staffId === row.staff_id) return null;
  return {
    date,
    time,
    serviceId,
    staffId,
    ...(isSameTime && { startsAt }),
    ...(patch.duration_minutes !== undefined && { durationMinutes: patch.duration_minutes }),
    ...(patch.price !== undefined && { price: patch.price }),
    ...(patch.enforce_slots && { enforcesSlots: true }),
  };
}

/** A new length needs its place checked again. */
export const isLengthChanged = (row: AppointmentRow, { terms }: Pick<AppointmentChange, 'terms'>): boolean =>
  terms.durationMinutes !== row.duration_minutes;

/** For a change that keeps time and place. */
export const isRecordChanged = (row: AppointmentRow, { status, notes, terms }: AppointmentChange): boolean =>
  status !== row.status || notes !== row.notes || terms.priceMinor !== row.price_minor;

export const areUnversionedFieldsChanged = (row: AppointmentRow, fields: UnversionedFields): boolean =>
  fields.isArrived !== (arrivedAt(row) !== null) || fields.cancellationReason !== cancellationReason(row);
