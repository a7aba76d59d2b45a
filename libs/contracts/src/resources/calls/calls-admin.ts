import { z } from 'zod';
import { instantOut, positiveId, queryId } from '../../fields/fields.ts';
import { knownEmail } from '../admins.ts';
import { CALL_DIRECTIONS, callListEntry, callSchema, listCallsQuery } from './calls.ts';

/** Internal: what those who run the business know of a call beyond the API's record. */
const forAdmins = {
  /** Also of a source that is deleted. */
  source_id: z.int(),
  /** Who called a missed caller back, and when they said so; null while nobody has. */
  called_back: z.object({ at: instantOut, by: z.string() }).nullable(),
};

export const callListAdminEntry = callListEntry.extend(forAdmins);
export const callAdminSchema = callSchema.extend({
  ...forAdmins,
  /**
   * What the provider states where it is not, or not yet, known to be the business's. Null where it states none, or
   * `appointment_id` has it.
   */
  stated_appointment: z.object({ id: z.int(), status: z.enum(['unchecked', 'unknown']) }).nullable(),
});

export type CallListAdminEntry = z.infer<typeof callListAdminEntry>;
export type CallAdmin = z.infer<typeof callAdminSchema>;

export const listCallsAdminQuery = listCallsQuery.extend({
  source_id: queryId.optional(),
  appointment_id: queryId.optional(),
});

export type ListCallsAdmin = z.output<typeof listCallsAdminQuery>;

/** `by`: the admin's email. */
export const calledBackBody = z.object({ by: knownEmail.min(1, 'The {field} field is required.') });

/** What was booked in a call, or because of it. The business has it: a page has just booked it. */
export const linkedAppointmentBody = z.object({ appointment_id: positiveId });

/** Missed inbound calls, without tests: `open` until somebody has called back, or talked with the number. */
export type CallBackState = 'open' | 'done';

/** The latest missed call of a number, and what there is of the number's others. */
export const callBackSchema = callListAdminEntry.extend({
  /** How many were missed: since somebody called back, or until they did. */
  calls: z.int(),
  /** The call in which somebody has talked with the number since; null where there is none, and where a mark says so. */
  talked: z.object({ call_id: z.int(), at: instantOut, direction: z.enum(CALL_DIRECTIONS) }).nullable(),
});

export type CallBack = z.infer<typeof callBackSchema>;

/** Internal: of so many days, so many of each at most. */
export const callBacksQuery = z.object({
  days: z.coerce.number().int().min(1).max(90),
  open: z.coerce.number().int().min(1).max(100),
  done: z.coerce.number().int().min(0).max(100),
});

/** The latest of each, and how many numbers are open. */
export const callBacksSchema = z.object({
  open: z.array(callBackSchema),
  open_total: z.int(),
  done: z.array(callBackSchema),
});

export type CallBacks = z.infer<typeof callBacksSchema>;
