import type {
  Call,
  CallAdmin,
  CallBack,
  CallDirection,
  CallListAdminEntry,
  CallListEntry,
  CallOutcome,
  CallSentiment,
  Utterance,
} from '@frontdesk/contracts';

/** A call as lists show it: complete, with its source's name of today. */
export interface CallListRow {
  id: number;
  customer_id: number | null;
  direction: CallDirection;
  from_number: string | null;
  to_number: string | null;
  started_at: Date;
  ended_at: Date;
  duration_seconds: number;
  is_missed: boolean;
  sentiment: CallSentiment | null;
  quality_score: number | null;
  outcome: CallOutcome;
  source: string;
  is_test: boolean;
  created_at: Date;
  updated_at: Date;
}

/** What only those who run the business see. */
export interface CallAdminColumns {
  source_id: number;
  called_back_at: Date | null;
  called_back_by: string | null;
}

/** The appointment that messages state, the one of which it is known whether it is the tenant's, and the one that is. */
export interface StatedAppointment {
  appointment_id: number | null;
  checked_appointment_id: number | null;
  linked_appointment_id: number | null;
}

/** All but the transcript, which is stored apart. */
export interface CallRow extends CallListRow {
  summary: string | null;
  transcript_truncated: boolean;
  recording_url: string | null;
  sentiment_source: 'provider' | 'lexicon' | null;
  provider: string;
  provider_call_id: string;
  /** What was booked in it; else what messages state, once it is known to be the tenant's. */
  served_appointment_id: number | null;
  version: number;
}

/** The record of the list. */
export const callListRecord = (row: CallListRow): CallListEntry => ({
  id: row.id,
  customer_id: row.customer_id,
  direction: row.direction,
  from_number: row.from_number,
  to_number: row.to_number,
  started_at: row.started_at.toISOString(),
  ended_at: row.ended_at.toISOString(),
  duration: row.duration_seconds,
  missed: row.is_missed,
  sentiment: row.sentiment,
  quality_score: row.quality_score,
  outcome: row.outcome,
  source: row.source,
  ...(row.is_test && { test: true as const }),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** The record of the single view and of `call.*` events. */
export const callRecord = (row: CallRow, transcript: Utterance[]): Call => ({
  ...callListRecord(row),
  summary: row.summary,
  transcript,
  transcript_truncated: row.transcript_truncated,
  recording_url: row.recording_url,
  sentiment_source: row.sentiment_source,
  provider: row.provider,
  provider_call_id: row.provider_call_id,
  appointment_id: row.served_appointment_id,
});

const forAdmins = ({ source_id, called_back_at: at, called_back_by: by }: CallAdminColumns) => ({
  source_id,
  called_back: at && by !== null ? { at: at.toISOString(), by } : null,
});

/** The same records for those who run the business. */
export const callListAdminRecord = (row: CallListRow & CallAdminColumns): CallListAdminEntry => ({
  ...callListRecord(row),
  ...forAdmins(row),
});

export const callAdminRecord = (
  row: CallRow & CallAdminColumns & StatedAppointment,
  transcript: Utterance[],
): CallAdmin => ({
  ...callRecord(row, transcript),
  ...forAdmins(row),
  stated_appointment: statedAppointment(row),
});

function statedAppointment(row: CallRow & StatedAppointment): CallAdmin['stated_appointment'] {
  const { appointment_id: id, checked_appointment_id: checked, linked_appointment_id: linked } = row;
  if (id === null || id === linked || id === row.served_appointment_id) return null;
  return { id, status: id === checked ? 'unknown' : 'unchecked' };
}

/** What a missed call's number has besides it. */
export interface CallBackColumns {
  times: number;
  talk_id: number | null;
  talk_at: Date | null;
  talk_direction: CallDirection | null;
}

export const callBackRecord = (row: CallListRow & CallAdminColumns & CallBackColumns): CallBack => {
  const { times, talk_id: call_id, talk_at: at, talk_direction: direction } = row;
  const talked = call_id !== null && at && direction ? { call_id, at: at.toISOString(), direction } : null;
  return { ...callListAdminRecord(row), calls: times, talked };
};
