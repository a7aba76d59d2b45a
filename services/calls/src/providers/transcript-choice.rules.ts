import { createHash } from 'node:crypto';
import type { CallSentiment, Utterance } from '@frontdesk/contracts';
import { type CallPatch, STAGES } from './call-provider.rules.ts';
import { classifySentiment } from './lexicon-sentiment.rules.ts';
import { limitTranscript } from './transcript-limit.rules.ts';

/** How much a transcript is worth: two are compared by this, and neither is read again. */
export interface TranscriptRank {
  /** The characters spoken, and up to a tenth more where utterances have times; in hundredths. */
  worth: number;
  /** Of two that are worth the same the later stage decides, then the digest: arbitrary, but always the same. */
  stage: number;
  digest: string;
}

/** The spoken text of a call, as one message states it and as far as it is kept. */
export interface StatedTranscript {
  /** Utterances as JSON: text is cheap to pass between threads, and is stored as it is. */
  json: string;
  isTruncated: boolean;
  /** By the customer's words. */
  sentiment: CallSentiment | null;
  rank: TranscriptRank;
}

/** Null where the message has no spoken text. */
export function statedTranscript({ stage, facts: { transcript = [] } }: CallPatch): StatedTranscript | null {
  const { transcript: utterances, isTruncated } = limitTranscript(transcript);
  if (utterances.length === 0) return null;
  const json = JSON.stringify(utterances);
  const rank = {
    worth: worthOf(utterances),
    stage: STAGES.indexOf(stage),
    digest: createHash('sha256').update(json).digest('hex'),
  };
  return { json, isTruncated, sentiment: classifySentiment(utterances), rank };
}

/** A total order, so that of any set of messages the same transcript stays. */
export function isBetter(one: TranscriptRank, other: TranscriptRank): boolean {
  if (one.worth !== other.worth) return one.worth > other.worth;
  if (one.stage !== other.stage) return one.stage > other.stage;
  return one.digest > other.digest;
}

/** Of two that differ by a few characters the one with times is worth more: those are lost for good otherwise. */
function worthOf(utterances: readonly Utterance[]): number {
  const spoken = utterances.reduce((characters, { text }) => characters + text.length, 0);
  const times = utterances.flatMap(({ start, end }) => [start, end]).filter((time) => time !== null).length;
  return Math.round(100 * spoken * (1 + times / (20 * utterances.length)));
}
