import { z } from 'zod';
import { because } from '../../errors/field-faults.ts';
import { dateField, textField, timeOut } from '../../fields/fields.ts';
import { MAX_LENGTH } from '../../limits/api-limits.ts';
import { MAX_SPANS, MAX_SPANS_IN_BODY } from '../../limits/calendar-bounds.ts';

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

export type Weekday = (typeof WEEKDAYS)[number];

const WALL_TIME = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/;

/** `H:i`, or `24:00`, the midnight that closes the day. */
export const wallTime = z
  .string()
  .refine((text) => WALL_TIME.test(text), {
    ...because({ reason: 'not_time' }, 'The {field} field must be a time in the format H:i.'),
    abort: true,
  })
  .meta({ pattern: WALL_TIME.source });

const timeSpan = z
  .object({ start: wallTime, end: wallTime })
  .refine(
    ({ start, end }) => start < end,
    'A span must end after it starts; hours past midnight are entered as two spans: until 24:00, and from 00:00 on the next day.',
  );

export type TimeSpan = z.output<typeof timeSpan>;

/** Spans of one day in order of time, apart from one another. */
const daySpans = z
  .array(timeSpan)
  .max(MAX_SPANS_IN_BODY, `The {field} field must hold at most ${MAX_SPANS} spans.`)
  .overwrite((spans) => spans.toSorted((a, b) => (a.start < b.start ? -1 : 1)))
  .refine(
    (spans) => spans.every(({ start }, index) => index === 0 || (spans[index - 1]?.end ?? '') <= start),
    'The spans of one day must not overlap.',
  );

/** Weekly hours as people write them: a day that is left out is a day off; a gap between two spans is a break. */
export const weeklyHours = z.partialRecord(z.enum(WEEKDAYS), daySpans, {
  error: ({ code }: { code: string }) =>
    code === 'unrecognized_keys' ? 'The {field} field must hold only the days monday to sunday.' : undefined,
});

export type WeeklyHours = z.output<typeof weeklyHours>;

const spanOut = z.object({
  start: timeOut,
  end: z.string().meta({ pattern: WALL_TIME.source, description: 'H:i; 24:00 is the end of the day.' }),
});

/** Weekday → spans of wall time, `H:i`; an end of `24:00` is the midnight that closes the day. */
export const workingHoursSchema = z.object({
  monday: z.array(spanOut),
  tuesday: z.array(spanOut),
  wednesday: z.array(spanOut),
  thursday: z.array(spanOut),
  friday: z.array(spanOut),
  saturday: z.array(spanOut),
  sunday: z.array(spanOut),
});

export type WorkingHours = z.infer<typeof workingHoursSchema>;

const noteField = textField(MAX_LENGTH.calendarNote).nullable().default(null);

/** Hours on one date, in place of its weekday's; none: closed that day. */
export const datedHours = z.object({ date: dateField, hours: daySpans, note: noteField });

export type DatedHours = z.output<typeof datedHours>;

/** Hours on the date that the path names. */
export const datedHoursBody = datedHours.omit({ date: true });

const WALL_DATE_TIME = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d$/;

/** A date and time on the business's clocks, `Y-m-dTH:i`. */
const wallDateTime = z
  .string()
  .refine((text) => WALL_DATE_TIME.test(text), {
    ...because(
      { reason: 'not_date_and_time' },
      'The {field} field must be a local date and time in the format Y-m-dTH:i.',
    ),
    abort: true,
  })
  .refine(
    (text) => dateField.safeParse(text.slice(0, 10)).success,
    because({ reason: 'not_date' }, 'The {field} field must be a date that exists.'),
  )
  .meta({ pattern: WALL_DATE_TIME.source });

/** A stretch without work, on the business's clocks; a whole day ends at 00:00 of the next. */
export const timeOffInput = z
  .object({ start: wallDateTime, end: wallDateTime, note: noteField })
  .refine(({ start, end }) => start < end, {
    path: ['end'],
    error: 'Time off must end after it starts.',
  });

export type TimeOff = z.output<typeof timeOffInput>;
