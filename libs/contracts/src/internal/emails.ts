import { z } from 'zod';
import { instantOut } from '../fields/fields.ts';
import { pageQuery } from '../fields/pagination.ts';

export const EMAIL_STATES = ['waiting', 'sent', 'failed'] as const;
const emailState = z.enum(EMAIL_STATES, `The {field} field must be one of ${EMAIL_STATES.join(', ')}.`);

export type EmailState = z.infer<typeof emailState>;

export const emailsQuery = pageQuery.extend({ state: emailState.optional() });

/** An email as operators see it in the list: whom it goes to, and nothing of its text. */
export const emailSummary = z.object({
  id: z.int(),
  /** Null where it is about an account. */
  tenant_id: z.int().nullable(),
  kind: z.string(),
  recipient: z.string(),
  /** Null until it is composed. */
  subject: z.string().nullable(),
  state: emailState,
  /** How often what it tells of has happened. */
  count: z.int(),
  attempts: z.int(),
  /** Why the latest attempt failed. */
  last_error: z.string().nullable(),
  made_at: instantOut,
  /** When it is tried next. */
  due_at: instantOut,
  sent_at: instantOut.nullable(),
  failed_at: instantOut.nullable(),
});

export type EmailSummary = z.infer<typeof emailSummary>;

/** With its text, links included; null before it is composed, and once it is sent. */
export const emailWithText = emailSummary.extend({ text: z.string().nullable() });
