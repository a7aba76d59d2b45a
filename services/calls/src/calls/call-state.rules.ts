import type { CallSourceSettings } from '@frontdesk/contracts';
import type { CallColumns } from './call-columns.rules.ts';

type Nullable<Columns> = { [Name in keyof Columns]: Columns[Name] | null };

/** What a call's messages and the search for its customer decide of its row. */
export interface CallState extends Nullable<CallColumns> {
  /** When the first message about its end came in; null while it goes on. */
  end_told_at: Date | null;
  is_complete: boolean;
  /** Whether its messages leave nothing to wait for. */
  is_settled: boolean;
  /** As E.164; null until the call is complete, and where there is none. */
  customer_number: string | null;
  customer_id: number | null;
  /** What admins booked in the call. Messages don't change it. */
  booked_appointment_id: number | null;
  /** The stated appointment, once it is known to be the tenant's: served where none was booked. */
  linked_appointment_id: number | null;
  /** The stated appointment of which it is known whether it is the tenant's. */
  checked_appointment_id: number | null;
  /** The stated appointment, unless a process of 0.1.0 told readers of it without a check. */
  untold_appointment_id: number | null;
  transcript_truncated: boolean;
  /** Whether `call.ended` and `call.missed` are written. */
  is_announced: boolean;
  is_missed_announced: boolean;
}

export const STATE_COLUMNS = [
  'end_told_at',
  'is_complete',
  'is_settled',
  'direction',
  'from_number',
  'to_number',
  'customer_number',
  'customer_id',
  'started_at',
  'ended_at',
  'duration_seconds',
  'is_missed',
  'outcome',
  'sentiment',
  'sentiment_source',
  'quality_score',
  'summary',
  'transcript_truncated',
  'recording_url',
  'appointment_id',
  'booked_appointment_id',
  'linked_appointment_id',
  'checked_appointment_id',
  'untold_appointment_id',
  'is_announced',
  'is_missed_announced',
] as const satisfies (keyof CallState)[];

/** The row of a call with what else its changes need, as it is locked. */
export interface LockedCall extends CallState {
  id: number;
  version: number;
  /** The customer, or the one that they have become part of. */
  current_customer_id: number | null;
  is_announcement_due: boolean;
  is_link_due: boolean;
  /** Whether the link waits for quota for a new customer: nobody can say for how long. */
  is_parked: boolean;
  /** Whether scheduling has not said yet whether the stated appointment is the tenant's. */
  is_appointment_awaited: boolean;
  provider: string;
  settings: CallSourceSettings;
}

/** Columns that the record doesn't show; what it shows of the appointment is compared apart. */
const UNSEEN: readonly (keyof CallState)[] = [
  'booked_appointment_id',
  'linked_appointment_id',
  'end_told_at',
  'is_settled',
  'customer_number',
  'appointment_id',
  'checked_appointment_id',
  'untold_appointment_id',
  'is_announced',
  'is_missed_announced',
];

const comparable = (value: CallState[keyof CallState]) => (value instanceof Date ? value.getTime() : value);

/** Whether readers, who may know more than is served just now, know the two as one record. */
export const isSameRecord = (one: CallState, other: CallState): boolean =>
  appointmentAnnounced(one) === appointmentAnnounced(other) &&
  STATE_COLUMNS.every(
    (column) => UNSEEN.includes(column) || comparable(one[column]) === comparable(other[column]),
  );

/**
 * The appointment id that readers were last sent. For a call that 0.1.0 announced it is the stated one, checked or not: if the tenant
 * has no such appointment, a `call.updated` takes it back.
 */
function appointmentAnnounced(state: CallState): number | null {
  const { appointment_id: stated, linked_appointment_id: linked, booked_appointment_id: booked } = state;
  if (booked !== null) return booked;
  const isTold = stated !== state.checked_appointment_id && stated !== state.untold_appointment_id;
  return stated !== null && isTold ? stated : linked;
}
