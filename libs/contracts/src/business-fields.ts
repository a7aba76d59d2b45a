import { z } from 'zod';

/** Records of one kind that a business has at most: what a document holds can always be imported again. */
export const MAX_NAMED_RECORDS = 500;

/** Staff that a business has at most. One that has more from earlier times may keep them or become fewer. */
export const MAX_STAFF = 200;

/** Entries of one kind that a calendar has at most. One that has more from earlier times may keep them or become fewer. */
export const MAX_CALENDAR_ENTRIES = 400;

/** Entries of one kind that a document may name: as many as any calendar may have from earlier times. */
export const MAX_CALENDAR_ENTRIES_NAMED = 1_000;

/** A whole number of minutes, both bounds included. */
export const minutesField = (min: number, max: number) =>
  z
    .int('The {field} field must be a whole number of minutes.')
    .min(min, `The {field} field must be at least ${min}.`)
    .max(max, `The {field} field must be at most ${max}.`);

export const flagField = z.boolean('The {field} field must be true or false.');

/** Up to `max` entries. */
export const listOf = <Schema extends z.ZodType>(schema: Schema, max: number) =>
  z.array(schema).max(max, `The {field} field must hold at most ${max} entries.`);
