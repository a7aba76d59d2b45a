import { z } from 'zod';
import { bookableDate, instantOut } from '../fields/fields.ts';
import { appointmentSchema } from './appointments.ts';
import { timeOffSchema } from './business/calendars.ts';
import { STAFF_COLORS } from './staff.ts';

const stretch = z.object({ starts_at: instantOut, ends_at: instantOut });

/** Internal: an appointment as the business's own people see it. */
export const appointmentAdminSchema = appointmentSchema.extend({
  service_name: z.string(),
  /** Null where nobody in particular has it. */
  staff_name: z.string().nullable(),
  buffer_before_minutes: z.int(),
  buffer_after_minutes: z.int(),
  /** When the customer was marked as here; null while they are not. Earlier releases leave out this and what follows. */
  arrived_at: instantOut.nullish(),
  cancellation_reason: z.string().nullish(),
  /** No-shows of its customer, this one included, up to a hundred. */
  customer_no_shows: z.int().optional(),
});

export type AppointmentAdmin = z.infer<typeof appointmentAdminSchema>;

/** Of the cancelled appointments of a day or week, and of its no-shows: the last ones are shown. */
export const MAX_SHOWN_WITHOUT_SLOT = 1_000;

const dayAppointmentSchema = appointmentAdminSchema.extend({
  /** None here: those of a busy week may have many megabytes. Earlier releases want the field. */
  notes: z.null(),
  /** How its notes begin, for a line of a calendar; null without notes. Earlier releases leave it out. */
  notes_excerpt: z.string().nullish(),
  /** Its ETag's number: who moves it out of a calendar says with it what they have seen. */
  version: z.int(),
});

/** Characters of notes that a calendar has; of longer ones, the last of these is `…`. */
export const MAX_NOTES_EXCERPT = 160;

/** A place that somebody holds while they decide. */
const dayHoldSchema = stretch.extend({
  id: z.int(),
  service_name: z.string(),
  /** Nobody else can have them either. */
  buffer_before_minutes: z.int(),
  buffer_after_minutes: z.int(),
  expires_at: instantOut,
});

export type DayHold = z.infer<typeof dayHoldSchema>;

export type DayAppointment = z.infer<typeof dayAppointmentSchema>;

/** One who can have appointments, on one day. Stretches are within the day, in order of time. */
export const dayColumnSchema = z.object({
  /** Null: the business itself, where it has no staff; or appointments that nobody in particular has. */
  staff_id: z.int().nullable(),
  name: z.string().nullable(),
  /** As staff have them; earlier releases leave both out. */
  color: z.enum(STAFF_COLORS).nullish(),
  picture_version: z.int().nullish(),
  /** Whether they can be booked. Who can't is listed for the appointments that they still have. */
  is_active: z.boolean(),
  /** Where work is done, by what is bookable: hours, exceptions and time off are taken into account. */
  open: z.array(stretch),
  /** Their own and the whole business's. */
  time_off: z.array(
    stretch.extend({
      note: z.string().nullable(),
      /** All of it as it was entered, by the business's clocks. Earlier releases leave it out. */
      entry: timeOffSchema
        .pick({ id: true, start: true, end: true })
        .extend({ is_of_business: z.boolean() })
        .optional(),
    }),
  ),
  /** Why the date has other hours than its weekday. */
  exception: z.object({ is_of_business: z.boolean(), note: z.string().nullable() }).nullable(),
  /** All that take a slot and touch the day with their time or their buffers, and the last of the cancelled ones and no-shows; by start. */
  appointments: z.array(dayAppointmentSchema),
  /** The open ones that touch the day with their time or their buffers, by start. Earlier releases leave them out. */
  holds: z.array(dayHoldSchema).optional(),
});

export type DayTimeOff = DayColumn['time_off'][number];

export type DayColumn = z.infer<typeof dayColumnSchema>;

/** Internal: a calendar day of the business's time zone. */
export const daySchema = z.object({
  date: z.string(),
  timezone: z.string(),
  /** The midnights: a day of a clock change has 23 or 25 hours between them, one that the zone left out none. */
  starts_at: instantOut,
  ends_at: instantOut,
  /** Bookings begin on a grid of it from midnight on. */
  slot_step_minutes: z.int(),
  columns: z.array(dayColumnSchema),
});

export type Day = z.infer<typeof daySchema>;

/** A date, or the business's today. */
export const dayPath = z.looseObject({ date: z.union([z.literal('today'), bookableDate]) });
