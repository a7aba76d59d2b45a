import type { CallSentiment, Utterance } from '@frontdesk/contracts';
import vader from 'vader-sentiment';

/** Below this many words of the customer nothing can be said. */
const MIN_WORDS = 12;
/** Work is bounded whatever a call holds: the time that the lexicon takes grows with the square of a text's length. */
const MAX_UTTERANCES = 200;
const MAX_UTTERANCE_CHARACTERS = 600;
/** Of the mean of an utterance's score, from -1 to 1. Complaints are rarer and plainer than courtesies. */
const POSITIVE_FROM = 0.2;
const NEGATIVE_UP_TO = -0.12;

/** The lexicon is English. Its words mean other things elsewhere ("die", "war"), so other languages are left alone. */
const ENGLISH =
  /\b(?:the|you|your|my|i|i'm|i'd|to|and|it|it's|for|that|of|have|is|on|what|can|would|this|with|at|are)\b/g;
const MIN_ENGLISH_SHARE = 0.15;

/** Words that the lexicon weighs, but that are everyday business at a front desk. */
const ROUTINE =
  /\b(?:(?:i'd|i would|would|you'd) like|please|yes|yeah|sure|ok(?:ay)?|no (?:problem|worries)|no(?=,)|cancel(?:s|l?ed|l?ing|lation)?|free|help|interested|special|share|number|number's|hi|hello|miss|ms|pain|care|treat(?:ment|ments)?)\b,?/g;

/** Positive, neutral or negative by what the customer said; null where that is too little, or isn't English. */
export function classifySentiment(transcript: readonly Utterance[]): CallSentiment | null {
  const said = transcript
    .filter(({ role }) => role === 'customer')
    .slice(-MAX_UTTERANCES)
    .map(({ text }) => text.slice(0, MAX_UTTERANCE_CHARACTERS).toLowerCase().replaceAll('’', "'"));
  const words = said.reduce((count, text) => count + countOf(text, /[\p{L}']+/gu), 0);
  const english = said.reduce((count, text) => count + countOf(text, ENGLISH), 0);
  if (words < MIN_WORDS || english < words * MIN_ENGLISH_SHARE) return null;
  const score = said.reduce((sum, text) => sum + scoreOf(text), 0) / said.length;
  if (score >= POSITIVE_FROM) return 'positive';
  return score <= NEGATIVE_UP_TO ? 'negative' : 'neutral';
}

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

const scoreOf = (text: string) =>
  vader.SentimentIntensityAnalyzer.polarity_scores(text.replace(ROUTINE, ' ')).compound;
