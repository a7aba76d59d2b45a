import { z } from 'zod';
import { instantOut } from '../fields/fields.ts';
import { appointmentSchema, createAppointmentBody } from './appointments.ts';

/** How long a hold lasts, in seconds. */
export const HOLD_SECONDS = { least: 30, most: 600, default: 120 } as const;

/** Open holds at a time, at most: of a business, of a key, and of one call of a call source. */
export const MAX_OPEN_HOLDS = { business: 50, key: 20, call: 5 } as const;

/** An ended hold is known for so long, and of a business so many of them: the latest. */
export const HOLD_KEPT_MINUTES = 60;
export const MOST_ENDED_HOLDS = 200;

/** A time that is kept free. Place, length and price are those of the appointment that it becomes. */
export const holdSchema = z.object({
  id: z.int().describe('Also the id of the appointment that it becomes.'),
  ...appointmentSchema.pick({
    service_id: true,
    staff_id: true,
    appointment_date: true,
    appointment_time: true,
    end_time: true,
    duration_minutes: true,
    timezone: true,
    starts_at: true,
    ends_at: true,
    price: true,
    currency: true,
  }).shape,
  status: z
    .enum(['open', 'booked', 'expired'])
    .describe(
      'open: the time is kept. booked: it is an appointment. expired: its time is over, or it was given back.',
    ),
  expires_at: instantOut.describe('When it ends, unless it is booked before; when it was given back.'),
});

export type Hold = z.infer<typeof holdSchema>;

export const createHoldBody = createAppointmentBody
  .pick({
    service_id: true,
    staff_id: true,
    appointment_date: true,
    appointment_time: true,
    enforce_slots: true,
  })
  .extend({
    seconds: z
      .int('The seconds field must be an integer.')
      .min(HOLD_SECONDS.least, `The seconds field must be at least ${HOLD_SECONDS.least}.`)
      .max(HOLD_SECONDS.most, `The seconds field must be at most ${HOLD_SECONDS.most}.`)
      .default(HOLD_SECONDS.default)
      .describe('How long it is kept.'),
  });

export type CreateHold = z.output<typeof createHoldBody>;

export const bookHoldBody = createAppointmentBody.pick({ customer_id: true, notes: true, source: true });

export type BookHold = z.output<typeof bookHoldBody>;

/** Internal: how many holds of a business are open, and how many may be. */
export const openHolds = z.object({ open: z.int(), allowed: z.int() });
export type OpenHolds = z.infer<typeof openHolds>;

/** Internal: whether places can be held in this system, and what there is of holds. */
export const holdsState = z.object({
  is_on: z.boolean(),
  /** Open in all businesses. */
  open: z.int(),
  /** Rows of holds, ended ones included, which a process of the release before can't read. */
  kept: z.int(),
  /** Those with the most, most first. */
  businesses: z.array(z.object({ tenant_id: z.int(), open: z.int() })),
});

export type HoldsState = z.infer<typeof holdsState>;

export const switchHoldsBody = z.object({ is_on: z.boolean('The is_on field must be true or false.') });

export const releasedHolds = z.object({ released: z.int() });
