import { z } from 'zod';
import { instantOut } from './fields.ts';

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

const timeSpan = z.object({ start: z.string(), end: z.string() });

/** Weekday → spans of wall time, `H:i`; an end of `24:00` is the midnight that closes the day. */
export const workingHoursSchema = z.object({
  monday: z.array(timeSpan),
  tuesday: z.array(timeSpan),
  wednesday: z.array(timeSpan),
  thursday: z.array(timeSpan),
  friday: z.array(timeSpan),
  saturday: z.array(timeSpan),
  sunday: z.array(timeSpan),
});

export type WorkingHours = z.infer<typeof workingHoursSchema>;

export const staffListEntry = z.object({
  id: z.int(),
  name: z.string(),
  specialties: z.array(z.string()),
  timezone: z.string(),
  next_available_slot: z.object({ date: z.string(), time: z.string(), starts_at: instantOut }).nullable(),
});

/** The single view. Upcoming appointments carry date and time only: no customer data leaves here. */
export const staffSchema = staffListEntry.extend({
  working_hours: workingHoursSchema,
  upcoming_appointments: z.array(z.object({ date: z.string(), time: z.string() })),
});

export type StaffListEntry = z.infer<typeof staffListEntry>;
export type StaffMember = z.infer<typeof staffSchema>;
