import { z } from 'zod';

/** Records of one kind that a business has at most: what a document holds can always be imported again. */
export const MAX_NAMED_RECORDS = 500;

/** Most staff of a business. A business that has more, from earlier releases, keeps them. */
export const MAX_STAFF = 200;

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
