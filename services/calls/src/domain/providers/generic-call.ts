import { CALL_DIRECTIONS, CALL_OUTCOMES, CALL_SENTIMENTS, TRANSCRIPT_ROLES } from '@frontdesk/contracts';
import { z } from 'zod';
import {
  MAX_ID_CHARACTERS,
  MAX_INSTANT_CHARACTERS,
  MAX_NUMBER_CHARACTERS,
  MAX_SUMMARY_CHARACTERS,
  MAX_URL_CHARACTERS,
  readInstant,
} from '../reading.ts';
import { MAX_SECONDS } from '../transcript-reading.ts';

/** The format alone would allow times that no call can have. */
const instant = () =>
  z.iso
    .datetime({ offset: true })
    .max(MAX_INSTANT_CHARACTERS)
    .refine((text) => readInstant(text) !== undefined);
const seconds = () => z.number().min(0).max(MAX_SECONDS).nullish();
const party = () => z.string().max(MAX_NUMBER_CHARACTERS).nullish();

/** Frontdesk's own message about a call that ended, for whatever has no adapter. libs/reference/guides/calls.md shows its JSON Schema. */
export const genericCall = z.object({
  provider_call_id: z
    .string()
    .max(MAX_ID_CHARACTERS)
    .regex(/\S/)
    .refine((id) => !id.includes('\0'))
    .describe("The sender's own id of the call. A message with the same id is about the same call."),
  direction: z.enum(CALL_DIRECTIONS),
  from_number: party().describe('The caller, E.164 if possible. Null or absent: hidden.'),
  to_number: party().describe('The called number, E.164 if possible. Null or absent: unknown.'),
  started_at: instant().describe(
    'When it was answered; when it began to ring, if it never was. In the years 2000 to 2099.',
  ),
  ended_at: instant().describe('Not before started_at; equal to it where nobody answered.'),
  outcome: z.enum(CALL_OUTCOMES).nullish(),
  sentiment: z.enum(CALL_SENTIMENTS).nullish(),
  quality_score: z.number().min(0).max(100).nullish(),
  summary: z.string().max(MAX_SUMMARY_CHARACTERS).nullish().describe('What is longer is cut.'),
  transcript: z
    .array(
      z.object({
        role: z.enum(TRANSCRIPT_ROLES),
        text: z.string().regex(/\S/),
        start: seconds().describe('Seconds since the beginning of the call.'),
        end: seconds(),
      }),
    )
    .nullish(),
  recording_url: z
    .url({ protocol: /^https?$/ })
    .max(MAX_URL_CHARACTERS)
    .nullish(),
  appointment_id: z
    .int()
    .positive()
    .nullish()
    .describe(
      "Frontdesk's id of the appointment that it was about. The call shows it once it is known to be this business's.",
    ),
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
