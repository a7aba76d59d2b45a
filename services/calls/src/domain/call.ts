import type {
  Call,
  CallDirection,
  CallListEntry,
  CallOutcome,
  CallSentiment,
  Utterance,
} from '@frontdesk/contracts';
import type { CallRecord } from '../domain/call-record.ts';

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
}

/** All but the transcript, which is stored apart. */
export interface CallRow extends CallListRow {
  summary: string | null;
  transcript_truncated: boolean;
  recording_url: string | null;
  sentiment_source: 'provider' | 'lexicon' | null;
  provider: string;
  provider_call_id: string;
  appointment_id: number | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

export const LIST_COLUMNS = `id, customer_id, direction, from_number, to_number, started_at, ended_at, duration_seconds, is_missed,
  sentiment, quality_score, outcome, is_test,
  (select s.name from call_sources s where s.tenant_id = calls.tenant_id and s.id = calls.source_id) as source`;

export const CALL_COLUMNS = `${LIST_COLUMNS}, summary, transcript_truncated, recording_url, sentiment_source, provider,
  provider_call_id, appointment_id, version, created_at, updated_at`;

/** The record of the list. */
export function toListEntry(row: CallListRow): CallListEntry {
  return {
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
  };
}

/** The record of the single view and of `call.*` events. */
export function toCall(row: CallRow, transcript: Utterance[]): Call {
  return {
    ...toListEntry(row),
    summary: row.summary,
    transcript,
    transcript_truncated: row.transcript_truncated,
    recording_url: row.recording_url,
    sentiment_source: row.sentiment_source,
    provider: row.provider,
    provider_call_id: row.provider_call_id,
    appointment_id: row.appointment_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** The columns that a call's messages decide. */
export const columnsOf = (record: CallRecord) => ({
  from_number: record.fromNumber,
  to_number: record.toNumber,
  started_at: record.startedAt,
  ended_at: record.endedAt,
  duration_seconds: record.durationSeconds,
  is_missed: record.isMissed,
  outcome: record.outcome,
  sentiment: record.sentiment,
  sentiment_source: record.sentimentSource,
  quality_score: record.qualityScore,
  summary: record.summary,
  recording_url: record.recordingUrl,
  appointment_id: record.appointmentId,
});
