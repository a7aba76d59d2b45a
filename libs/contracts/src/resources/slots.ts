import { z } from 'zod';
import {
  bookableDate,
  dateOut,
  instantOut,
  queryId,
  queryInteger,
  timeField,
  timeOut,
} from '../fields/fields.ts';
import { MAX_SLOT_DAYS } from '../limits/api-limits.ts';
import { WEEKDAYS, type Weekday, wallTime } from './business/hours.ts';

/** One start that can be booked. `date` and `time` post back as `appointment_date` and `appointment_time`. */
export const slotSchema = z.object({
  date: dateOut.describe('Y-m-d: the appointment_date to book it with.'),
  time: timeOut.describe('H:i: the appointment_time to book it with.'),
  end_time: timeOut,
  starts_at: instantOut,
  ends_at: instantOut,
  staff_id: z.int().nullable().describe('Somebody who is free; null in a business without staff.'),
  staff_ids: z.array(z.int()).describe('All who are free.'),
});

export type Slot = z.infer<typeof slotSchema>;

/** Slots of one answer, where a question bounds them, at most. */
const MAX_LIMIT = 100;

const ANY_DAY = `(?:${WEEKDAYS.join('|')})`;
const DAYS_ONLY = `The {field} field must hold only these names, separated by commas: ${WEEKDAYS.join(', ')}.`;

/** The slots of `date`, or of all days from `date` to `date_to`. */
export const slotsQuery = z
  .object({
    date: bookableDate,
    date_to: bookableDate
      .optional()
      .describe(`The last of several days, at most ${MAX_SLOT_DAYS} of them, Y-m-d.`),
    service_id: queryId.describe('Says how long the slots are.'),
    staff_id: queryId.optional().describe('Only when they are free.'),
    weekdays: z
      .string(DAYS_ONLY)
      .regex(new RegExp(`^${ANY_DAY}(?:,${ANY_DAY})*$`), DAYS_ONLY)
      .transform((names) => [...new Set(names.split(','))] as Weekday[])
      .optional()
      .describe(`Only on these days of the week, separated by commas: ${WEEKDAYS.join(', ')}.`),
    from_time: timeField
      .optional()
      .describe('Only slots that start at this time of the day or later, on the business’s clocks, H:i.'),
    to_time: wallTime
      .optional()
      .describe('Only slots that start before this time of the day, on the same clocks, H:i; at most 24:00.'),
    limit: queryInteger
      .pipe(
        z
          .int()
          .min(1, 'The limit field must be at least 1.')
          .max(MAX_LIMIT, `The limit field must be at most ${MAX_LIMIT}.`),
      )
      .optional()
      .meta({
        minimum: 1,
        maximum: MAX_LIMIT,
        description: 'Only so many, the earliest of those that the other parameters leave.',
      }),
  })
  .superRefine(({ date, date_to, from_time, to_time }, context) => {
    if (from_time !== undefined && to_time !== undefined && from_time >= to_time) {
      const message = 'The to_time field must be after from_time.';
      context.addIssue({ code: 'custom', path: ['to_time'], message });
    } else if (to_time === '00:00') {
      const message = 'The to_time field must be after 00:00; the end of the day is 24:00.';
      context.addIssue({ code: 'custom', path: ['to_time'], message });
    }
    if (date_to === undefined) return;
    const days = Temporal.PlainDate.from(date).until(date_to).days + 1;
    const message =
      days < 1
        ? 'The date_to field must not be before date.'
        : days > MAX_SLOT_DAYS
          ? `The date_to field must be at most ${MAX_SLOT_DAYS - 1} days after date.`
          : null;
    if (message !== null) context.addIssue({ code: 'custom', path: ['date_to'], message });
  });

export type SlotsQuery = z.output<typeof slotsQuery>;

/** The same as admins ask: for an appointment that is to be moved, which does not block its own new slot. */
export const slotsAdminQuery = slotsQuery.safeExtend({ moved_id: queryId.optional() });

export type SlotsAdminQuery = z.output<typeof slotsAdminQuery>;
