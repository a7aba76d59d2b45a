import { z } from 'zod';
import { dateOut, instantOut, positiveId, requiredText, timeOut } from '../fields/fields.ts';
import { MAX_LENGTH } from '../limits/api-limits.ts';
import { flagField, listOf, MAX_NAMED_RECORDS } from './business/business-fields.ts';
import { workingHoursSchema } from './business/hours.ts';

/** Colours that pages have for people, in the order in which they are given out. */
export const STAFF_COLORS = [
  'blue',
  'green',
  'orange',
  'purple',
  'teal',
  'pink',
  'olive',
  'indigo',
  'red',
  'brown',
] as const;

export type StaffColor = (typeof STAFF_COLORS)[number];

export const staffListEntry = z.object({
  id: z.int(),
  name: z.string(),
  specialties: z.array(z.string()),
  timezone: z.string(),
  next_available_slot: z
    .object({ date: dateOut, time: timeOut, starts_at: instantOut })
    .nullable()
    .describe('For the shortest service that they perform.'),
});

/** The single view. Upcoming appointments carry date and time only: no customer data leaves here. */
export const staffSchema = staffListEntry.extend({
  working_hours: workingHoursSchema.describe('Spans of H:i for each weekday; a gap is a break.'),
  upcoming_appointments: z
    .array(z.object({ date: dateOut, time: timeOut }))
    .describe('Dates and times only.'),
});

export type StaffListEntry = z.infer<typeof staffListEntry>;

/** A staff member as the business sees them: also while inactive. */
export const staffAdminSchema = z.object({
  id: z.int(),
  name: z.string(),
  specialties: z.array(z.string()),
  /** The services they perform, inactive ones included. */
  service_ids: z.array(z.int()),
  is_active: z.boolean(),
  /** Works in the business's opening hours; otherwise in weekly hours of their own. */
  follows_business_hours: z.boolean(),
  /** Scheduled appointments from now on. */
  coming_appointments: z.int(),
  /** Of their appointments in calendars; null: the pages choose one by the id. Earlier releases leave it out. */
  color: z.enum(STAFF_COLORS).nullish(),
  /** Changes with their picture, and is part of its address; null without one. */
  picture_version: z.int().nullish(),
});

export type StaffAdmin = z.infer<typeof staffAdminSchema>;

/** The weekly hours of a staff member, without dates that differ. */
export const staffHoursSchema = z.object({ id: z.int(), hours: workingHoursSchema });

const fields = {
  name: requiredText(MAX_LENGTH.name),
  specialties: listOf(requiredText(100), 50),
  service_ids: listOf(positiveId, MAX_NAMED_RECORDS),
  is_active: flagField,
  follows_business_hours: flagField,
  color: z.enum(STAFF_COLORS, `The {field} field must be one of ${STAFF_COLORS.join(', ')}.`).nullish(),
};

export const createStaffBody = z.object({
  ...fields,
  specialties: fields.specialties.default([]),
  service_ids: fields.service_ids.default([]),
  is_active: fields.is_active.default(true),
  follows_business_hours: fields.follows_business_hours.default(true),
});

export type CreateStaff = z.output<typeof createStaffBody>;

export const updateStaffBody = z.object(fields).partial();

export type UpdateStaff = z.output<typeof updateStaffBody>;

export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;

/** Largest picture of a staff member. */
export const MAX_PICTURE_BYTES = 200 * 1024;

/** Internal: the picture of a staff member. `base64` of the file, whose first bytes have to be of its type. */
export const staffPictureSchema = z.object({
  type: z.enum(PICTURE_TYPES, `The {field} field must be one of ${PICTURE_TYPES.join(', ')}.`),
  base64: z
    .base64('The {field} field must be base64.')
    .max(Math.ceil(MAX_PICTURE_BYTES / 3) * 4, 'The {field} field must be at most 200 KiB.'),
});

export type StaffPicture = z.infer<typeof staffPictureSchema>;
