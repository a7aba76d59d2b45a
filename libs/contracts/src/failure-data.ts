import { z } from 'zod';
import { failureSchema } from './envelope.ts';
import { ERROR_STATUS, type ErrorCode } from './error-codes.ts';
import { slotSchema } from './slots.ts';

/** What `data` of a failure holds, by its code; failures of other codes have none. */
export const FAILURE_DATA = {
  slot_unavailable: z.object({
    alternatives: z.array(slotSchema).describe('The nearest free slots, at most five, in order of time.'),
  }),
  cursor_expired: z.object({
    oldest_cursor: z.string().describe('The place where the feed begins now.'),
  }),
} as const satisfies Partial<Record<ErrorCode, z.ZodType>>;

export type CodeWithData = keyof typeof FAILURE_DATA;

export const CODES_WITH_DATA = Object.keys(FAILURE_DATA) as CodeWithData[];

/** Whether no other code has its status. */
const isAlone = (code: ErrorCode) =>
  Object.values(ERROR_STATUS).filter((status) => status === ERROR_STATUS[code]).length === 1;

/**
 * The failure envelope of the code's status: with other codes beside it only this one has `data`. One object for all of them, as
 * descriptions of earlier releases have it: generated clients would take alternatives for another type.
 */
export const failureWithData = (code: CodeWithData) =>
  isAlone(code)
    ? failureSchema.extend({ code: z.literal(code), data: FAILURE_DATA[code] })
    : failureSchema.extend({ data: FAILURE_DATA[code].optional().describe(`Only of ${code}.`) });
