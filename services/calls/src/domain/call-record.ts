import type { CallDirection, CallOutcome, CallSentiment, Utterance } from '@frontdesk/contracts';
import { MISSED_BELOW_SECONDS } from '@frontdesk/contracts';
import type { CallFacts } from './call-provider.ts';
import { classifySentiment } from './sentiment.ts';
import { limitTranscript } from './transcript-limit.ts';

/** A call as it is stored: every value decided, null where nobody told. */
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
  transcript: Utterance[];
  transcriptTruncated: boolean;
  recordingUrl: string | null;
  appointmentId: number | null;
}

export interface RecordContext {
  /** When the first message of the call came in: where no message tells a time, the call ended then. */
  receivedAt: Date;
  /** The source's setting: whether a call without the provider's sentiment gets one from the customer's words. */
  classifiesSentiment: boolean;
}

export function toCallRecord(facts: CallFacts, context: RecordContext): CallRecord {
  const times = callTimes(facts, context.receivedAt);
  const transcript = facts.transcript ?? [];
  const limited = limitTranscript(transcript);
  return {
    direction: facts.direction ?? null,
    fromNumber: facts.fromNumber ?? null,
    toNumber: facts.toNumber ?? null,
    ...times,
    isMissed: times.durationSeconds < MISSED_BELOW_SECONDS,
    outcome: facts.outcome ?? (times.durationSeconds === 0 ? 'no_answer' : 'other'),
    ...sentimentOf(facts, context.classifiesSentiment),
    qualityScore: facts.qualityScore ?? null,
    summary: facts.summary ?? null,
    transcript: limited.transcript,
    transcriptTruncated: limited.isTruncated,
    recordingUrl: facts.recordingUrl ?? null,
    appointmentId: facts.appointmentId ?? null,
  };
}

function callTimes(facts: CallFacts, receivedAt: Date) {
  const durationSeconds = facts.durationSeconds ?? secondsBetween(facts.startedAt, facts.endedAt);
  const endedAt =
    facts.endedAt ?? (facts.startedAt ? secondsAfter(facts.startedAt, durationSeconds) : receivedAt);
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
  classifies: boolean,
): Pick<CallRecord, 'sentiment' | 'sentimentSource'> {
  if (facts.sentiment) return { sentiment: facts.sentiment, sentimentSource: 'provider' };
  const sentiment = classifies ? classifySentiment(facts.transcript ?? []) : null;
  return { sentiment, sentimentSource: sentiment && 'lexicon' };
}
