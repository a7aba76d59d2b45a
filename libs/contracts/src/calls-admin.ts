import { z } from 'zod';
import { callListEntry, callSchema, listCallsQuery } from './calls.ts';
import { instantOut, queryId } from './fields.ts';
import { emailField } from './settings.ts';

/** Internal: what those who run the business know of a call beyond the API's record. */
const forAdmins = {
  /** Also of a source that is deleted. */
  source_id: z.int(),
  /** Who called a missed caller back, and when they said so; null while nobody has. */
  called_back: z.object({ at: instantOut, by: z.string() }).nullable(),
};

export const callListAdminEntry = callListEntry.extend(forAdmins);
export const callAdminSchema = callSchema.extend(forAdmins);

export type CallListAdminEntry = z.infer<typeof callListAdminEntry>;
export type CallAdmin = z.infer<typeof callAdminSchema>;

/** Inbound calls that were missed, without tests: `open` until somebody has called back. */
export const CALL_BACKS = ['open', 'done'] as const;

export const listCallsAdminQuery = listCallsQuery.extend({
  source_id: queryId.optional(),
  call_back: z.enum(CALL_BACKS, `The {field} field must be one of ${CALL_BACKS.join(', ')}.`).optional(),
});

export type ListCallsAdmin = z.output<typeof listCallsAdminQuery>;

/** `by`: the admin's email. */
export const calledBackBody = z.object({ by: emailField });

/** The JSON of `GET /settings/calls/missed`: the latest of each, and how many are open. */
export const callBacksSchema = z.object({
  open: z.array(callListAdminEntry),
  open_total: z.int(),
  done: z.array(callListAdminEntry),
});
