import { z } from 'zod';
import { instantOut } from '../fields/fields.ts';
import { planField } from '../limits/plans.ts';
import { APPOINTMENT_STATUSES } from './appointments.ts';
import { CALL_SENTIMENTS } from './calls/calls.ts';

/** What the statistics of a business show: counts that each service keeps or takes of its own data. */

const count = z.int();
/** Y-m-d, in the business's zone. */
const date = z.string();

const statusCounts = z.object(
  Object.fromEntries(APPOINTMENT_STATUSES.map((status) => [status, count])) as Record<
    (typeof APPOINTMENT_STATUSES)[number],
    typeof count
  >,
);

/** An appointment in a short list. */
const briefAppointment = z.object({
  id: z.int(),
  starts_at: instantOut,
  /** On the clocks of the business's zone. */
  appointment_time: z.string(),
  end_time: z.string(),
  service: z.string(),
  staff: z.string().nullable(),
});

/** The appointments that begin on a business's present day, and how full the days around it are. */
export const appointmentStatistics = z.object({
  date,
  timezone: z.string(),
  today: statusCounts,
  /** Those of today that are not over yet and still on, the next ones first; at most ten. */
  next: z.array(briefAppointment),
  /** All that is worked today, by everybody together. */
  working_minutes: count,
  /** What appointments leave of it from now on. */
  free_minutes: count,
  /** From a week ago to a week ahead, today in the middle, none left out. */
  days: z.array(statusCounts.extend({ date })),
});

export type AppointmentStatistics = z.infer<typeof appointmentStatistics>;

/** Calls by the day and by the week, on Mondays, in which they began; the present ones last, none left out. */
export const callStatistics = z.object({
  timezone: z.string(),
  days: z.array(
    z.object({
      date,
      calls: count,
      missed: count,
      /** Those of the missed that were outbound; left out where there is none. */
      unanswered: count.optional(),
    }),
  ),
  weeks: z.array(
    z
      .object({ from: date })
      .extend(
        Object.fromEntries([...CALL_SENTIMENTS, 'unknown'].map((sentiment) => [sentiment, count])) as Record<
          (typeof CALL_SENTIMENTS)[number] | 'unknown',
          typeof count
        >,
      ),
  ),
});

export type CallStatistics = z.infer<typeof callStatistics>;

/** Milliseconds, to a tenth of their size, from when deliveries were made to when they had arrived. */
const latency = z.object({ p50_ms: z.number(), p95_ms: z.number() });

/** Deliveries by the hour of UTC in which they came to an end; the present hour is the last of 24, none left out. */
export const deliveryStatistics = z.object({
  hours: z.array(
    z.object({
      starts_at: instantOut,
      delivered: count,
      failed: count,
      /** Of what arrived when it was first sent, not on demand later; null where there is none. */
      latency: latency.nullable(),
    }),
  ),
  latency: latency.nullable(),
  /** Deliveries that are still to be made now, counted up to `MAX_COUNTED_WAITING`. */
  waiting: count,
  /** Endpoints that are there, paused ones too. */
  endpoints: count,
});

export type DeliveryStatistics = z.infer<typeof deliveryStatistics>;

export const MAX_COUNTED_WAITING = 10_000;

/** Requests of all keys by the hour of UTC, the present hour last. What other gateways counted comes seconds later. */
export const requestStatistics = z.object({
  plan: planField,
  hours: z.array(z.object({ starts_at: instantOut, allowed: count, denied: count })),
});

export type RequestStatistics = z.infer<typeof requestStatistics>;
