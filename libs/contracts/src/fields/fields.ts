import { z } from 'zod';
import { because } from '../errors/field-faults.ts';

/** Lists of values in what we send that may grow, so that no client may take them for all that there will ever be. */
export const growingValues = z.registry<object>();

/** Messages are complete sentences that name the field; the service skeleton fills in `{field}`. */
export const positiveId = z
  .int('The {field} field must be an integer.')
  .positive('The {field} field must be a positive integer.');

/** A whole number in a query string. Coerced from digits only: `1e3`, `0x10` and `1.0` are refused. */
export const queryInteger = z
  .string('The {field} field must be an integer.')
  .regex(/^-?\d{1,15}$/, 'The {field} field must be an integer.')
  .transform(Number);

export const queryId = queryInteger.pipe(z.int().positive('The {field} field must be a positive integer.'));

/** The `{id}` of a path: whatever is not a positive safe integer names no record, hence 404 rather than 422. */
export const pathId = z.object({
  id: z
    .string()
    .regex(/^[1-9]\d{0,15}$/)
    .transform(Number)
    .refine(Number.isSafeInteger),
});

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Year 0 is ISO 8601's, but neither people's nor PostgreSQL's. */
const isCalendarDate = (text: string) => {
  try {
    return (
      !text.startsWith('0000') && Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text
    );
  } catch {
    return false;
  }
};

/** A calendar date, `Y-m-d`. */
export const dateField = z
  .string()
  .refine((text) => DATE.test(text), {
    ...because({ reason: 'not_date' }, 'The {field} field must be a date in the format Y-m-d.'),
    abort: true,
  })
  .refine(isCalendarDate, {
    ...because({ reason: 'not_date' }, 'The {field} field must be a date that exists.'),
    abort: true,
  })
  .meta({ pattern: DATE.source, format: 'date', description: 'A calendar date, Y-m-d.' });

/** Where instants, offsets and the ends of visits are sure to have the form that records give them. */
const FIRST_BOOKABLE = '1900-01-01';
export const LAST_BOOKABLE = '2999-12-31';

/** A date on which an appointment may lie. */
export const bookableDate = dateField
  .refine(
    (date) => FIRST_BOOKABLE <= date && date <= LAST_BOOKABLE,
    because(
      { reason: 'not_within', from: FIRST_BOOKABLE, to: LAST_BOOKABLE },
      `The {field} field must be a date from ${FIRST_BOOKABLE} to ${LAST_BOOKABLE}.`,
    ),
  )
  .describe(`A calendar date of the business, Y-m-d, from ${FIRST_BOOKABLE} to ${LAST_BOOKABLE}.`);

const WALL_TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** A wall-clock time, `H:i`. */
export const timeField = z
  .string()
  .refine(
    (text) => WALL_TIME.test(text),
    because({ reason: 'not_time' }, 'The {field} field must be a time in the format H:i.'),
  )
  .meta({ pattern: WALL_TIME.source, description: 'A time on the business’s clocks, H:i.' });

/** Text without NUL, which PostgreSQL cannot hold, up to `max` characters. Nor can it hold half of a surrogate pair; bodies have none. */
export const textField = (max: number) =>
  z
    .string('The {field} field must be a string.')
    .max(max, `The {field} field must be at most ${max} characters.`)
    .refine(
      (text) => text.isWellFormed(),
      because({ reason: 'not_text' }, 'The {field} field must not contain half of a surrogate pair.'),
    )
    .refine(
      (text) => !text.includes('\0'),
      because({ reason: 'not_text' }, 'The {field} field must not contain NUL characters.'),
    );

export const requiredText = (max: number) =>
  textField(max)
    .refine(
      (text) => text.trim().length > 0,
      because({ reason: 'required' }, 'The {field} field is required.'),
    )
    .meta({ minLength: 1, pattern: String.raw`\S` });

/** Yes or no in a query string. */
export const queryFlag = z
  .enum(['true', 'false', '1', '0'], 'The {field} field must be true or false.')
  .transform((text) => text === 'true' || text === '1');

const instantWithOffset = z.iso.datetime({ offset: true });

/** A moment to come, RFC 3339 with its offset. */
export const laterInstant = z
  .string('The {field} field must be an RFC 3339 instant.')
  .refine(
    (text) => instantWithOffset.safeParse(text).success && Date.parse(text) > Date.now(),
    because({ reason: 'not_in_future' }, 'The {field} field must be an RFC 3339 instant in the future.'),
  )
  .transform((text) => new Date(text));

/** Where a range ends or begins: a calendar date in the business's time zone, or an instant. */
export type DateOrInstant = { date: string } | { instant: Date };

export const dateOrInstant = z
  .string()
  .transform((text, context): DateOrInstant => {
    if (dateField.safeParse(text).success) return { date: text };
    if (instantWithOffset.safeParse(text).success) return { instant: new Date(text) };
    context.addIssue({
      code: 'custom',
      message: 'The {field} field must be a date in the format Y-m-d, or an RFC 3339 instant.',
    });
    return z.NEVER;
  })
  .meta({
    anyOf: [
      { type: 'string', format: 'date' },
      { type: 'string', format: 'date-time' },
    ],
    description: 'A day of the business, Y-m-d, or an RFC 3339 instant; it is part of the range.',
  });

/** RFC 3339 with offset, as records carry it. What the description says of these three is not checked where one is read. */
export const instantOut = z.string().meta({ format: 'date-time', description: 'RFC 3339, with an offset.' });

/** A calendar date, `Y-m-d`, as records carry it. */
export const dateOut = z.string().meta({ format: 'date', description: 'Y-m-d.' });

/** A wall-clock time, `H:i`, as records carry it: no `time` of RFC 3339, which has seconds and an offset. */
export const timeOut = z.string().meta({ pattern: WALL_TIME.source, description: 'H:i.' });

/** Temporal alone would take a whole ISO string, or an offset, for a zone as well. */
export const timeZoneField = z.string().refine(
  (zone) => {
    try {
      return (
        /^[A-Za-z]/.test(zone) &&
        Temporal.Now.zonedDateTimeISO(zone).timeZoneId.toLowerCase() === zone.toLowerCase()
      );
    } catch {
      return false;
    }
  },
  because(
    { reason: 'not_time_zone' },
    'The {field} field must be an IANA time zone, for example Europe/Berlin.',
  ),
);

// Made when the first field asks: with them come 6 MB of Unicode's data, and most services never do.
let currencies: ReadonlySet<string> | undefined;
let regions: Intl.DisplayNames | undefined;

function isCurrency(code: string): boolean {
  currencies ??= new Set(Intl.supportedValuesOf('currency'));
  return currencies.has(code);
}

function isRegion(code: string): boolean {
  regions ??= new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  return /^[A-Z]{2}$/.test(code) && code !== 'ZZ' && regions.of(code) !== undefined;
}

export const currencyField = z
  .string()
  .refine(isCurrency, 'The {field} field must be an ISO 4217 currency code.');

export const countryField = z
  .string()
  .refine(isRegion, 'The {field} field must be an ISO 3166-1 alpha-2 country code.');
