import { z } from 'zod';
import { dateField, instantOut, queryId } from './fields.ts';

/** One start that can be booked. `date` and `time` post back as `appointment_date` and `appointment_time`. */
export const slotSchema = z.object({
  date: z.string(),
  time: z.string(),
  end_time: z.string(),
  starts_at: instantOut,
  ends_at: instantOut,
  staff_id: z.int().nullable(),
  staff_ids: z.array(z.int()),
});

export type Slot = z.infer<typeof slotSchema>;

export const slotsQuery = z.object({
  date: dateField,
  service_id: queryId,
  staff_id: queryId.optional(),
});

export type SlotsQuery = z.output<typeof slotsQuery>;
