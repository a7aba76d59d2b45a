import { type CallDirection, type CallSentiment, MISSED_BELOW_SECONDS } from '@frontdesk/contracts';
import type { CallFacts } from '../providers/call-provider.rules.ts';
import type { CallRow } from './call.rules.ts';

type Stated =
  | ('from_number' | 'to_number' | 'started_at' | 'ended_at' | 'duration_seconds' | 'is_missed' | 'outcome')
  | ('sentiment' | 'sentiment_source' | 'quality_score' | 'summary' | 'recording_url');

/** The columns of a call that its messages decide, without the spoken text: null where no message states a value. */
export interface CallColumns extends Pick<CallRow, Stated> {
  /** Null only as long as the call is not complete. */
  direction: CallDirection | null;
  /** As stated; whether it is one of the tenant's is not known. */
  appointment_id: number | null;
}

export interface ColumnsContext {
  /** When the first message about its end came in: where no message states a time, the call ended then. */
  endToldAt: Date;
  /** By the customer's words; null also where the source doesn't want that. */
  lexiconSentiment: CallSentiment | null;
}

export function callColumns(facts: CallFacts, context: ColumnsContext): CallColumns {
  const times = callTimes(facts, context.endToldAt);
  return {
    direction: facts.direction ?? null,
    from_number: facts.fromNumber ?? null,
    to_number: facts.toNumber ?? null,
    ...times,
    is_missed: times.duration_seconds < MISSED_BELOW_SECONDS,
    outcome: facts.outcome ?? (times.duration_seconds === 0 ? 'no_answer' : 'other'),
    ...sentimentOf(facts, context.lexiconSentiment),
    quality_score: facts.qualityScore ?? null,
    summary: facts.summary ?? null,
    recording_url: facts.recordingUrl ?? null,
    appointment_id: facts.appointmentId ?? null,
  };
}

function callTimes(facts: CallFacts, endToldAt: Date) {
  const duration_seconds = facts.durationSeconds ?? secondsBetween(facts.startedAt, facts.endedAt);
  const ended_at =
    facts.endedAt ?? (facts.startedAt ? secondsAfter(facts.startedAt, duration_seconds) : endToldAt);
  // Clocks differ: a call that seems to begin after its end began when its duration says.
  const isOrdered = facts.startedAt !== undefined && facts.startedAt <= ended_at;
  const started_at = isOrdered ? (facts.startedAt as Date) : secondsAfter(ended_at, -duration_seconds);
  return { started_at, ended_at, duration_seconds };
}

function secondsBetween(startedAt: Date | undefined, endedAt: Date | undefined): number {
  if (!startedAt || !endedAt) return 0;
  return Math.max(0, Math.floor((endedAt.getTime() - startedAt.getTime()) / 1_000));
}

const secondsAfter = (time: Date, seconds: number) => new Date(time.getTime() + seconds * 1_000);

function sentimentOf(
  facts: CallFacts,
  lexicon: CallSentiment | null,
): Pick<CallColumns, 'sentiment' | 'sentiment_source'> {
  if (facts.sentiment) return { sentiment: facts.sentiment, sentiment_source: 'provider' };
  return { sentiment: lexicon, sentiment_source: lexicon && 'lexicon' };
}
