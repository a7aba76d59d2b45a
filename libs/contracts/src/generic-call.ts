import { z } from 'zod';
import { CALL_DIRECTIONS, CALL_OUTCOMES, CALL_SENTIMENTS, TRANSCRIPT_ROLES } from './calls.ts';

/** What is kept of a call's summary. */
export const MAX_SUMMARY_CHARACTERS = 20_000;

const instant = () => z.iso.datetime({ offset: true });
const party = () => z.string().min(1).max(255).nullable();

/** Frontdesk's own message about a call that ended, for whatever has no adapter. libs/reference/guides/calls.md shows its JSON Schema. */
export const genericCall = z.object({
  provider_call_id: z
    .string()
    .min(1)
    .max(255)
    .describe("The sender's own id of the call. A message with the same id is about the same call."),
  direction: z.enum(CALL_DIRECTIONS),
  from_number: party().describe('The caller, E.164 if possible. Null: hidden.'),
  to_number: party().describe('The called number, E.164 if possible.'),
  started_at: instant().describe('When it was answered; when it began to ring, if it never was.'),
  ended_at: instant().describe('Equal to started_at where nobody answered.'),
  outcome: z.enum(CALL_OUTCOMES).nullish(),
  sentiment: z.enum(CALL_SENTIMENTS).nullish(),
  quality_score: z.number().min(0).max(100).nullish(),
  summary: z.string().max(MAX_SUMMARY_CHARACTERS).nullish(),
  transcript: z
    .array(
      z.object({
        role: z.enum(TRANSCRIPT_ROLES),
        text: z.string(),
        start: z.number().min(0).nullish().describe('Seconds since the beginning of the call.'),
        end: z.number().min(0).nullish(),
      }),
    )
    .nullish(),
  recording_url: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .nullish(),
  appointment_id: z
    .int()
    .positive()
    .nullish()
    .describe("Frontdesk's id of the appointment that it was about."),
});

export type GenericCall = z.input<typeof genericCall>;

/** For senders in other languages; a field that it doesn't name is ignored. */
export function genericCallJsonSchema() {
  return z.toJSONSchema(genericCall, {
    io: 'input',
    // What `format` says already: a long pattern of days and months.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
}
