import { z } from 'zod';
import { minutesField } from './business-fields.ts';

/** `open`: only a clash is refused. `slots_only`: only an offered slot may be booked. */
const BOOKING_POLICIES = ['open', 'slots_only'] as const;

export const bookingPolicy = z.enum(BOOKING_POLICIES, 'The {field} field must be one of open, slots_only.');

export type BookingPolicy = z.output<typeof bookingPolicy>;

/** How a business lets itself be booked. */
export const bookingSettings = z.object({
  booking_policy: bookingPolicy,
  slot_step_minutes: minutesField(1, 1_440),
  minimum_notice_minutes: minutesField(0, 525_600),
  /** How many days ahead slots are offered; null: without bound. */
  horizon_days: z
    .int('The {field} field must be a whole number of days.')
    .min(1, 'The {field} field must be at least 1.')
    .max(3_650, 'The {field} field must be at most 3650.')
    .nullable(),
});

export type BookingSettingsRecord = z.output<typeof bookingSettings>;

/** Internal: the policy, and whether the business has chosen it or has it by default. */
export const chosenPolicy = z.object({ booking_policy: bookingPolicy, is_chosen: z.boolean() });

export type ChosenPolicy = z.output<typeof chosenPolicy>;

export const updateBookingSettingsBody = bookingSettings.partial();

export type UpdateBookingSettings = z.output<typeof updateBookingSettingsBody>;
