import { z } from 'zod';
import { MAX_ALTERNATIVES } from '../limits/api-limits.ts';
import { slotSchema } from '../resources/slots.ts';
import { failureSchema } from './envelope.ts';
import { ERROR_MEANINGS, ERROR_STATUS, type ErrorCode, type PublicErrorCode } from './error-codes.ts';

const alternatives = z.object({
  alternatives: z
    .array(slotSchema)
    .describe(`The nearest free slots, at most ${MAX_ALTERNATIVES}, in order of time.`),
});

/** What `data` of a failure holds, by its code; failures of other codes have none. */
export const ERROR_DATA = {
  not_found: z
    .object({ merged_into: z.int().describe('The id of the customer into whom this one was merged.') })
    .optional()
    .describe('Only of a customer who was merged into another one.'),
  insufficient_scope: z.object({ scope: z.string().describe('What the key lacks.') }),
  slot_unavailable: alternatives,
  hold_expired: alternatives,
  cursor_expired: z.object({
    oldest_cursor: z.string().describe('The place where the feed begins now.'),
  }),
} as const satisfies Partial<Record<ErrorCode, z.ZodType>>;

export type CodeWithData = keyof typeof ERROR_DATA;

export const CODES_WITH_DATA = Object.keys(ERROR_DATA) as CodeWithData[];

/** Whether no other code that integrators see has its status. */
const isAlone = (code: ErrorCode) =>
  (Object.keys(ERROR_MEANINGS) as PublicErrorCode[]).filter(
    (other) => ERROR_STATUS[other] === ERROR_STATUS[code],
  ).length === 1;

/**
 * The failure envelope of the code's status: with other codes beside it only this one has `data`. One object for all of them, as
 * descriptions of earlier releases have it: generated clients would take alternatives for another type.
 */
export const failureWithData = (code: CodeWithData) =>
  isAlone(code)
    ? failureSchema.extend({ code: z.literal(code), data: ERROR_DATA[code] })
    : failureSchema.extend({ data: ERROR_DATA[code].optional().describe(`Only of ${code}.`) });
