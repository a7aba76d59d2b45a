import type { CallDirection, CallOutcome, CallSentiment } from '@frontdesk/contracts';
import { MISSED_BELOW_SECONDS } from '@frontdesk/contracts';
import type { CallFacts } from './call-provider.ts';

/** A call as it is stored, without the spoken text: every value decided, null where no message states one. */
export interface CallRecord {
  /** Null only as long as the call is not complete. */
  direction: CallDirection | null;
  fromNumber: string | null;
  toNumber: string | null;
  startedAt: Date;
  endedAt: Date;
  durationSeconds: number;
  isMissed: boolean;
  outcome: CallOutcome;
  sentiment: CallSentiment | null;
  sentimentSource: 'provider' | 'lexicon' | null;
  /** From 0 to 100. */
  qualityScore: number | null;
  summary: string | null;
  recordingUrl: string | null;
  appointmentId: number | null;
}

export interface RecordContext {
  /** When the first message about its end came in: where no message states a time, the call ended then. */
  endToldAt: Date;
  /** By the customer's words; null also where the source doesn't want that. */
  lexiconSentiment: CallSentiment | null;
}

export function toCallRecord(facts: CallFacts, context: RecordContext): CallRecord {
  const times = callTimes(facts, context.endToldAt);
  return {
    direction: facts.direction ?? null,
    fromNumber: facts.fromNumber ?? null,
    toNumber: facts.toNumber ?? null,
    ...times,
    isMissed: times.durationSeconds < MISSED_BELOW_SECONDS,
    outcome: facts.outcome ?? (times.durationSeconds === 0 ? 'no_answer' : 'other'),
    ...sentimentOf(facts, context.lexiconSentiment),
    qualityScore: facts.qualityScore ?? null,
    summary: facts.summary ?? null,
    recordingUrl: facts.recordingUrl ?? null,
    appointmentId: facts.appointmentId ?? null,
  };
}

function callTimes(facts: CallFacts, endToldAt: Date) {
  const durationSeconds = facts.durationSeconds ?? secondsBetween(facts.startedAt, facts.endedAt);
  const endedAt =
    facts.endedAt ?? (facts.startedAt ? secondsAfter(facts.startedAt, durationSeconds) : endToldAt);
  // Clocks differ: a call that seems to begin after its end began when its duration says.
  const isOrdered = facts.startedAt !== undefined && facts.startedAt <= endedAt;
  const startedAt = isOrdered ? (facts.startedAt as Date) : secondsAfter(endedAt, -durationSeconds);
  return { startedAt, endedAt, durationSeconds };
}

function secondsBetween(startedAt: Date | undefined, endedAt: Date | undefined): number {
  if (!startedAt || !endedAt) return 0;
  return Math.max(0, Math.floor((endedAt.getTime() - startedAt.getTime()) / 1_000));
}

const secondsAfter = (time: Date, seconds: number) => new Date(time.getTime() + seconds * 1_000);

function sentimentOf(
  facts: CallFacts,
  lexicon: CallSentiment | null,
): Pick<CallRecord, 'sentiment' | 'sentimentSource'> {
  if (facts.sentiment) return { sentiment: facts.sentiment, sentimentSource: 'provider' };
  return { sentiment: lexicon, sentimentSource: lexicon && 'lexicon' };
}
