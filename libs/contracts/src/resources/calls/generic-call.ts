import { z } from 'zod';
import { CALL_DIRECTIONS, CALL_OUTCOMES, CALL_SENTIMENTS, TRANSCRIPT_ROLES } from './calls.ts';

/** Of what any provider says of a call; what is longer is not read, and a summary is cut. */
export const MAX_CALL_ID_CHARACTERS = 255;
export const MAX_CALL_NUMBER_CHARACTERS = 255;
export const MAX_CALL_URL_CHARACTERS = 2_048;
export const MAX_CALL_INSTANT_CHARACTERS = 40;
export const MAX_SUMMARY_CHARACTERS = 20_000;
/** Longer than any provider lets a call last. */
export const MAX_CALL_SECONDS = 7 * 86_400;

const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

/** Calls lie within these years, whatever a message says. */
export const mayBeOfCall = (epochMilliseconds: number): boolean =>
  epochMilliseconds >= EARLIEST && epochMilliseconds < LATEST;

function isCallInstant(text: string): boolean {
  try {
    // Knows, as Date doesn't, that there is no 30 February.
    return mayBeOfCall(Temporal.Instant.from(text).epochMilliseconds);
  } catch {
    return false;
  }
}

/** The format alone would allow times that no call can have. */
const instant = () => z.iso.datetime({ offset: true }).max(MAX_CALL_INSTANT_CHARACTERS).refine(isCallInstant);
const seconds = () => z.number().min(0).max(MAX_CALL_SECONDS).nullish();
const party = () => z.string().max(MAX_CALL_NUMBER_CHARACTERS).nullish();

/** Frontdesk's own message about a call that ended, for whatever has no adapter. libs/reference/guides/calls.md shows its JSON Schema. */
export const genericCall = z.object({
  provider_call_id: z
    .string()
    .max(MAX_CALL_ID_CHARACTERS)
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
    .max(MAX_CALL_URL_CHARACTERS)
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
