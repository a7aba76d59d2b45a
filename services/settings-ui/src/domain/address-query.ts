import { z } from 'zod';

/** A part of an address. A form that is sent with GET sends empty the fields that nobody has filled in. */
export const unlessEmpty = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(
    (value) => (typeof value === 'string' && value.trim() === '' ? undefined : value),
    schema.optional(),
  );
