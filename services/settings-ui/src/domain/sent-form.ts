import { z } from 'zod';

/** The fields of a form or an address as they came: text, and lists of it where a field repeats. */
export type FormValues = Readonly<Record<string, string | string[] | undefined>>;

/** A field of a form that comes once. Programs too say it in text. */
export const formText = z.string().optional();
/** A field that comes as often as there are rows, or boxes that are checked. */
export const formTexts = z
  .union([z.string(), z.array(z.string())], 'The {field} field must be text.')
  .optional();

/**
 * What a contract takes, from a form of another shape: `fields` are those that only the form has, judged before `convert`
 * sees them; of all others it knows no type, and `schema` judges what it makes of them.
 */
export const formInto = <Fields extends z.ZodRawShape, Schema extends z.ZodType>(
  fields: Fields,
  schema: Schema,
  convert: (form: z.output<z.ZodObject<Fields, z.core.$loose>>) => unknown,
) => z.looseObject(fields).pipe(z.preprocess((form) => convert(form as never), schema));

/**
 * What may be shown again of anything that was sent. Programs may send other types of JSON, which their routes judge; none
 * of those gets into a page.
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
