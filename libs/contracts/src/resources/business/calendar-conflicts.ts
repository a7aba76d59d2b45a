import { z } from 'zod';
import { appointmentAdminSchema } from '../days.ts';

/** Internal: upcoming appointments outside the working hours of their staff, or during time off. */
export const calendarConflicts = z.object({
  count: z.int(),
  /** False where there are so many appointments ahead that only the next ones were looked at. */
  is_complete: z.boolean(),
  /** The first of them, by start. */
  appointments: z.array(
    appointmentAdminSchema.extend({
      /** Within time off or closing days; otherwise outside the hours. */
      is_time_off: z.boolean(),
    }),
  ),
});

export type CalendarConflicts = z.infer<typeof calendarConflicts>;
