import { z } from 'zod';

/** The fields of a form or an address as they came: text, and lists of it where a field repeats. */
export type FormValues = Readonly<Record<string, string | string[] | undefined>>;

/** A field of a form that comes once, as text, also from programs. */
export const formText = z.string().optional();
/** A field that comes as often as there are rows, or boxes that are checked. */
export const formTexts = z
  .union([z.string(), z.array(z.string())], 'The {field} field must be text.')
  .optional();

/**
 * A schema for a form whose shape differs from the contract's. `fields` are those that only the form has; they are checked first.
 * `convert` then makes the contract's shape of the form, which `schema` checks.
 */
export const formInto = <Fields extends z.ZodRawShape, Schema extends z.ZodType>(
  fields: Fields,
  schema: Schema,
  convert: (form: z.output<z.ZodObject<Fields, z.core.$loose>>) => unknown,
) => z.looseObject(fields).pipe(z.preprocess((form) => convert(form as never), schema));

/**
 * The text, and lists of text, of a body: all of it that a page may show again. Programs may send other types of JSON, which the
 * route's schema checks; they never get into a page.
 */
export const sentForm = z
  .looseObject({})
  .catch({})
  .transform(
    (fields): FormValues =>
      Object.fromEntries(
        Object.entries(fields).flatMap(([name, value]) => {
          const { data } = formTexts.safeParse(value);
          return data === undefined ? [] : [[name, data]];
        }),
      ),
  );
