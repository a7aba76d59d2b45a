import { z } from 'zod';
import { MAX_CALENDAR_ENTRIES_IN_BODY } from '../../limits/calendar-bounds.ts';
import { listOf } from './business-fields.ts';
import { datedHours, timeOffInput, weeklyHours, workingHoursSchema } from './hours.ts';

export const timeOffSchema = z.object({
  id: z.int(),
  start: z.string(),
  end: z.string(),
  note: z.string().nullable(),
});

export type TimeOffRecord = z.infer<typeof timeOffSchema>;

/** When somebody works, as it was entered; the business's own has the same form. */
export const calendarSchema = z.object({
  hours: workingHoursSchema,
  exceptions: z.array(
    z.object({ date: z.string(), hours: workingHoursSchema.shape.monday, note: z.string().nullable() }),
  ),
  time_off: z.array(timeOffSchema),
});

export type CalendarRecord = z.infer<typeof calendarSchema>;

export const replaceHoursBody = z.object({
  hours: weeklyHours,
  /** Taken out of `hours`: 09:00 to 17:00 with a break at noon, instead of two spans. */
  breaks: weeklyHours.optional(),
});

/** The parts of a calendar in a business document; what is left out stays as it is. */
export const calendarInput = z.object({
  ...replaceHoursBody.partial().shape,
  exceptions: listOf(datedHours, MAX_CALENDAR_ENTRIES_IN_BODY).optional(),
  time_off: listOf(timeOffInput, MAX_CALENDAR_ENTRIES_IN_BODY).optional(),
});

export type CalendarInput = z.output<typeof calendarInput>;
