import { z } from 'zod';
import { textField } from '../../fields/fields.ts';
import { flagField } from '../business/business-fields.ts';
import { callSchema } from './calls.ts';

/** Internal: a call that nobody made, to see what a source makes of it. */
export const testCallBody = z.object({
  /** Who seems to call; left out or empty, the number is hidden. */
  from_number: textField(40).nullish(),
  /** Whether the call is kept, marked as a test, and sent to webhooks. */
  is_real: flagField.default(false),
});

/** The customer of a test call: `hidden` without a number, `unavailable` where crm could not be asked. */
export const TEST_CALL_CUSTOMERS = ['known', 'unknown', 'hidden', 'unavailable'] as const;

export const testCallSchema = z.object({
  call: callSchema.pick({
    direction: true,
    from_number: true,
    to_number: true,
    started_at: true,
    ended_at: true,
    duration: true,
    missed: true,
    outcome: true,
    sentiment: true,
    sentiment_source: true,
    summary: true,
    transcript: true,
  }),
  customer: z.enum(TEST_CALL_CUSTOMERS),
  customer_id: z.int().nullable(),
  /** Whether a call from this number creates a customer. */
  creates_lead: z.boolean(),
  /** The message that it was taken in as; null where nothing is kept. */
  message_id: z.int().nullable(),
});

export type TestCall = z.infer<typeof testCallSchema>;
