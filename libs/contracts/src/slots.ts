import { z } from 'zod';
import { bookableDate, dateOut, instantOut, queryId, timeOut } from './fields.ts';

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

/** Days of one question, at most. */
const MAX_DAYS = 31;

/** The slots of `date`, or of all days from `date` to `date_to`. */
export const slotsQuery = z
  .object({
    date: bookableDate,
    date_to: bookableDate
      .optional()
      .describe(`The last of several days, at most ${MAX_DAYS} of them, Y-m-d.`),
    service_id: queryId.describe('Says how long the slots are.'),
    staff_id: queryId.optional().describe('Only when they are free.'),
  })
  .superRefine(({ date, date_to }, context) => {
    if (date_to === undefined) return;
    const days = Temporal.PlainDate.from(date).until(date_to).days + 1;
    const message =
      days < 1
        ? 'The date_to field must not be before date.'
        : days > MAX_DAYS
          ? `The date_to field must be at most ${MAX_DAYS - 1} days after date.`
          : null;
    if (message !== null) context.addIssue({ code: 'custom', path: ['date_to'], message });
  });

export type SlotsQuery = z.output<typeof slotsQuery>;
