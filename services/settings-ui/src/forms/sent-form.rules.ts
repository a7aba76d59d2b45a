import { because } from '@frontdesk/contracts';
import { z } from 'zod';

/** The fields of a form or an address as they came: text, and lists of it where a field repeats. */
export type FormValues = Readonly<Record<string, string | string[] | undefined>>;

/** A field of a form that comes once, as text, also from programs. */
export const formText = z.string().optional();
/** As many fields as are read of a form's text, and so as many entries of a list. */
export const MOST_FIELDS = 1_000;

/**
 * Looked at before anybody is known, so it ends at the first that is no text: half a million numbers cost
 * as little as one.
 */
const isTexts = (value: unknown): value is string | string[] =>
  typeof value === 'string' ||
  (Array.isArray(value) && value.length <= MOST_FIELDS && value.every((text) => typeof text === 'string'));

/** A field that comes as often as there are rows, or boxes that are checked. */
export const formTexts = z
  .custom<string | string[]>(
    isTexts,
    because({ reason: 'not_text' }, `The {field} field must be text, or a list of at most ${MOST_FIELDS}.`),
  )
  .optional();

/**
 * A schema for a form whose shape differs from the contract's. `fields` are those that only the form has; they are
 * checked first. `convert` then makes the contract's shape of the form, which `schema` checks.
 */
export const formInto = <Fields extends z.ZodRawShape, Schema extends z.ZodType>(
  fields: Fields,
  schema: Schema,
  convert: (form: z.output<z.ZodObject<Fields, z.core.$loose>>) => unknown,
) => z.looseObject(fields).pipe(z.preprocess((form) => convert(form as never), schema));

/**
 * The text, and lists of text, of a body: all of it that a page may show again. Programs may send other types of JSON,
 * which the route's schema checks; they never get into a page.
 */
export const sentForm = z
  .unknown()
  .transform(
    (body): FormValues =>
      isFields(body)
        ? Object.fromEntries(
            Object.entries(body).flatMap(([name, value]) => (isTexts(value) ? [[name, value]] : [])),
          )
        : {},
  );

/** Schemas look at each field, also at those that nobody knows. */
export const hasTooManyFields = (body: unknown): boolean =>
  isFields(body) && Object.keys(body).length > MOST_FIELDS;

const isFields = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body);
