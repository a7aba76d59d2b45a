import { z } from 'zod';
import { dateOut, growingValues } from '../../fields/fields.ts';
import { PLANS } from '../../limits/plans.ts';
import { workingHoursSchema } from './hours.ts';

/** So many days, today included, of which dates with other hours are told. */
export const EXCEPTION_DAYS = 90;

/** The business that a key belongs to: what somebody who answers its phone has to know. */
export const businessSchema = z.object({
  id: z.int(),
  name: z.string(),
  timezone: z.string().describe('IANA name: dates and times of requests are on its clocks.'),
  country: z.string().describe('ISO 3166-1 alpha-2: numbers without a country code are read as its.'),
  currency: z.string().describe('ISO 4217: all prices are in it.'),
  opening_hours: workingHoursSchema.describe(
    'Spans of H:i for each weekday; none: closed. Where the business has entered none: when anybody of its active staff works.',
  ),
  exceptions: z
    .array(z.object({ date: dateOut, hours: workingHoursSchema.shape.monday }))
    .describe(
      `Dates of the next ${EXCEPTION_DAYS} days on which it is open at other hours, in order; without hours it is closed.`,
    ),
  booking_policy: z
    .enum(['open', 'slots_only'])
    .register(growingValues, {})
    .describe('open: any time that is not taken can be booked. slots_only: only an offered slot.'),
  plan: z.enum(PLANS).register(growingValues, {}),
  rate_limits: z
    .object({ per_minute: z.int(), per_day: z.int() })
    .describe('Requests that all keys of the business may make together.'),
});

export type BusinessRecord = z.infer<typeof businessSchema>;
