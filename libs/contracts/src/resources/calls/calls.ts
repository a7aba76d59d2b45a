import { z } from 'zod';
import { dateOrInstant, growingValues, instantOut, queryFlag, queryId } from '../../fields/fields.ts';
import { listQuery } from '../../fields/pagination.ts';
import { MISSED_BELOW_SECONDS } from '../../limits/api-limits.ts';

export const CALL_DIRECTIONS = ['inbound', 'outbound'] as const;
export const CALL_SENTIMENTS = ['positive', 'neutral', 'negative'] as const;
export const CALL_OUTCOMES = [
  'booked',
  'rescheduled',
  'cancelled',
  'inquiry',
  'transferred',
  'voicemail',
  'no_answer',
  'failed',
  'other',
] as const;
export const TRANSCRIPT_ROLES = ['agent', 'customer', 'system'] as const;

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, `The {field} field must be one of ${values.join(', ')}.`);

export const callDirection = oneOf(CALL_DIRECTIONS);
export const callSentiment = oneOf(CALL_SENTIMENTS);
export const callOutcome = oneOf(CALL_OUTCOMES).register(growingValues, {});

export type CallDirection = z.infer<typeof callDirection>;
export type CallSentiment = z.infer<typeof callSentiment>;
export type CallOutcome = z.infer<typeof callOutcome>;

/** One utterance; `start` and `end` are seconds since the beginning of the call, null where the provider sends none. */
export const utterance = z.object({
  role: z.enum(TRANSCRIPT_ROLES).register(growingValues, {}),
  text: z.string(),
  start: z.number().nullable(),
  end: z.number().nullable(),
});

export type Utterance = z.infer<typeof utterance>;

/** On what a test made, and on nothing else. */
export const testMark = z.literal(true).optional().describe('Only on test calls made in the settings.');

export const callListEntry = z.object({
  id: z.int(),
  customer_id: z.int().nullable().describe('Null while nobody has the number.'),
  direction: callDirection,
  from_number: z.string().nullable(),
  to_number: z.string().nullable(),
  started_at: instantOut,
  ended_at: instantOut,
  duration: z.int().describe('In seconds.'),
  missed: z.boolean().describe(`Whether it lasted less than ${MISSED_BELOW_SECONDS} seconds.`),
  sentiment: callSentiment.nullable(),
  quality_score: z.number().nullable().describe('From 0 to 100.'),
  outcome: callOutcome,
  source: z.string().describe('The call source it came in through.'),
  test: testMark,
  created_at: instantOut,
  updated_at: instantOut,
});

export type CallListEntry = z.infer<typeof callListEntry>;

/** The single view, also the `data` of `call.*` events. */
export const callSchema = callListEntry.extend({
  summary: z.string().nullable(),
  transcript: z.array(utterance),
  transcript_truncated: z.boolean().describe('Whether it was longer than what is kept.'),
  recording_url: z.string().nullable(),
  sentiment_source: z
    .enum(['provider', 'lexicon'])
    .register(growingValues, {})
    .nullable()
    .describe('The provider’s own, or worked out here from the customer’s words.'),
  provider: z.string(),
  provider_call_id: z.string(),
  appointment_id: z
    .int()
    .nullable()
    .describe(
      'What the business has booked in the call; else as the provider states it, once it is known to be an appointment of this business.',
    ),
});

export type Call = z.infer<typeof callSchema>;

/** The call as those see it who may not know what was said: without transcript, summary and recording. */
export const withoutTranscript = <Shown extends Pick<Call, 'summary' | 'transcript' | 'recording_url'>>(
  call: Shown,
): Shown => ({ ...call, summary: null, transcript: [], recording_url: null });

export const listCallsQuery = listQuery('started_at', 'updated_at').extend({
  sentiment: callSentiment.optional(),
  from_date: dateOrInstant.optional(),
  to_date: dateOrInstant.optional(),
  missed: queryFlag.optional().describe('true: only missed calls; false: only others.'),
  customer_id: queryId.optional(),
  outcome: callOutcome.optional(),
  direction: callDirection.optional(),
});

export type ListCalls = z.output<typeof listCallsQuery>;
