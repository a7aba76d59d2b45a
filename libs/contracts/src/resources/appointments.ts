import { z } from 'zod';
import {
  bookableDate,
  dateField,
  dateOut,
  instantOut,
  positiveId,
  queryFlag,
  queryId,
  textField,
  timeField,
  timeOut,
} from '../fields/fields.ts';
import { listQuery } from '../fields/pagination.ts';
import { ROLES } from '../internal/identity.ts';
import { flagField, listOf, minutesField } from './business/business-fields.ts';
import { priceField } from './services.ts';

export const APPOINTMENT_STATUSES = ['scheduled', 'completed', 'cancelled', 'no_show'] as const;

/** Statuses whose appointments take their slot. The constraint against double bookings names the same two, and holds. */
const TAKING: readonly string[] = ['scheduled', 'completed'] satisfies AppointmentStatus[];

export const takesSlot = (status: AppointmentStatus): boolean => TAKING.includes(status);

export const appointmentStatus = z.enum(
  APPOINTMENT_STATUSES,
  `The {field} field must be one of ${APPOINTMENT_STATUSES.join(', ')}.`,
);

export type AppointmentStatus = z.infer<typeof appointmentStatus>;

/** The appointment record of every view and of `appointment.*` events. */
export const appointmentSchema = z.object({
  id: z.int(),
  customer_id: z.int(),
  service_id: z.int(),
  staff_id: z.int().nullable().describe('Null in a business without staff.'),
  appointment_date: dateOut.describe('Y-m-d, on the clocks of timezone.'),
  appointment_time: timeOut.describe('H:i, on the same clocks.'),
  end_time: timeOut.describe('H:i, on the same clocks.'),
  duration_minutes: z.int(),
  timezone: z.string().describe('IANA name.'),
  starts_at: instantOut,
  ends_at: instantOut,
  status: appointmentStatus,
  notes: z.string().nullable(),
  source: z.string(),
  price: z.number().describe('In the currency’s main unit.'),
  currency: z.string().describe('ISO 4217.'),
  created_at: instantOut,
  updated_at: instantOut,
  cancelled_at: instantOut.nullable(),
});

export type Appointment = z.infer<typeof appointmentSchema>;

/** The rule of `slots_only` for one request. It is no field of the record. Described twice, it is an `anyOf` with null like the others. */
const enforceSlots = flagField
  .describe('true or false.')
  .nullish()
  .describe(
    'true: only an offered slot may be taken, whatever the booking_policy of the business. Otherwise its policy decides. A change that takes no other time, staff member or service, and no time again, is not held to it.',
  );

export const createAppointmentBody = z.object({
  customer_id: positiveId,
  service_id: positiveId,
  staff_id: positiveId
    .nullish()
    .describe('Left out: the free staff member with the fewest appointments that day.'),
  appointment_date: bookableDate,
  appointment_time: timeField,
  notes: textField(5_000).nullish(),
  source: textField(64).nullish().describe('Where it comes from; api by default.'),
  enforce_slots: enforceSlots,
});

export type CreateAppointment = z.output<typeof createAppointmentBody>;

export const updateAppointmentBody = z.object({
  appointment_date: bookableDate.optional(),
  appointment_time: timeField.optional(),
  service_id: positiveId.optional(),
  staff_id: positiveId.nullish(),
  notes: textField(5_000).nullish(),
  status: appointmentStatus.optional(),
  enforce_slots: enforceSlots,
});

export type UpdateAppointment = z.output<typeof updateAppointmentBody>;

/** Characters of the reason of a cancellation. */
export const MAX_CANCELLATION_REASON = 200;

/** Internal: the same for those who run the business, with what only they change. */
export const updateAppointmentAdminBody = updateAppointmentBody.extend({
  /** Need not be the service's. Refused if the time isn't free for that long. */
  duration_minutes: minutesField(1, 1_440).optional(),
  price: priceField.optional(),
  /** Whether the customer has arrived. The time of the first mark stays; it is no change of the record. */
  arrived: flagField.optional(),
  /** Taken with a cancellation, and kept until the appointment is restored. */
  cancellation_reason: textField(MAX_CANCELLATION_REASON).nullish(),
});

export type UpdateAppointmentAdmin = z.output<typeof updateAppointmentAdminBody>;

/** What a line of an appointment's history can be about. Of notes and reasons it says only that they were changed. */
export const APPOINTMENT_HISTORY_FIELDS = [
  'starts_at',
  'staff_id',
  'service_id',
  'duration_minutes',
  'price',
  'status',
  'notes',
  'arrived_at',
  'cancellation_reason',
] as const;

/** Changes of one appointment that are kept: the latest. */
export const MAX_APPOINTMENT_HISTORY = 100;

/** Internal: the latest changes, newest first; the booking is always the last line. */
export const appointmentHistorySchema = z.array(
  z.object({
    at: instantOut,
    /** `id`: of the admin or the key; null where nobody in particular is known. */
    by: z.object({ role: z.enum(ROLES), id: z.int().nullable() }).nullable(),
    kind: z.enum(['booked', 'changed']),
    changes: z.array(
      z.object({
        field: z.enum(APPOINTMENT_HISTORY_FIELDS),
        /** As the record shows it: an instant, an id, a number or a word; null for none. */
        from: z.union([z.string(), z.number()]).nullable(),
        to: z.union([z.string(), z.number()]).nullable(),
      }),
    ),
  }),
);

export type AppointmentHistory = z.infer<typeof appointmentHistorySchema>;

export const updateStatusBody = z.object({ status: appointmentStatus, enforce_slots: enforceSlots });

export const listAppointmentsQuery = listQuery('starts_at', 'updated_at').extend({
  status: appointmentStatus.optional(),
  date: dateField.optional().describe('The date that they are booked for, Y-m-d.'),
  staff_id: queryId.optional(),
  customer_id: queryId.optional(),
});

/** The same for those who run the business: also what is scheduled from now on, apart from all else. */
export const listAppointmentsAdminQuery = listAppointmentsQuery.extend({ is_coming: queryFlag.optional() });

export type ListAppointments = z.output<typeof listAppointmentsAdminQuery>;

const MAX_ASKED_APPOINTMENTS = 1_000;

/** Internal: which of these are the tenant's. Ids that the tenant doesn't have are left out of the answer. */
export const appointmentsByIdsBody = z.object({ ids: listOf(positiveId, MAX_ASKED_APPOINTMENTS) });
export const appointmentIds = z.array(z.int());
