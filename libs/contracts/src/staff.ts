import { z } from 'zod';
import { flagField, listOf, MAX_NAMED_RECORDS } from './business-fields.ts';
import { instantOut, positiveId, requiredText } from './fields.ts';

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

/** A member of staff as the business sees them: also while inactive. */
export const staffAdminSchema = z.object({
  id: z.int(),
  name: z.string(),
  specialties: z.array(z.string()),
  /** The services they perform, inactive ones included. */
  service_ids: z.array(z.int()),
  is_active: z.boolean(),
  /** Scheduled appointments from now on. */
  coming_appointments: z.int(),
});

export type StaffAdmin = z.infer<typeof staffAdminSchema>;

export const specialtiesField = listOf(requiredText(100), 50);

const serviceIds = listOf(positiveId, MAX_NAMED_RECORDS);

export const createStaffBody = z.object({
  name: requiredText(200),
  specialties: specialtiesField.default([]),
  service_ids: serviceIds.default([]),
  is_active: flagField.default(true),
});

export type CreateStaff = z.output<typeof createStaffBody>;

export const updateStaffBody = z
  .object({
    name: requiredText(200),
    specialties: specialtiesField,
    service_ids: serviceIds,
    is_active: flagField,
  })
  .partial();

export type UpdateStaff = z.output<typeof updateStaffBody>;
