import { z } from 'zod';
import { requiredText, textField } from './fields.ts';
import { WEEKDAYS } from './staff.ts';

const wallTime = z
  .string()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'The {field} field must be a time in the format H:i.');

const span = z
  .object({ start: wallTime, end: wallTime })
  .refine(
    ({ start, end }) => start < end,
    'A span must end after it starts; hours past midnight are entered as two spans: until 24:00, and from 00:00 on the next day.',
  );

const daySpans = z.array(span).refine((spans) => {
  const sorted = [...spans].sort((a, b) => (a.start < b.start ? -1 : 1));
  return sorted.every((current, index) => index === 0 || (sorted[index - 1]?.end ?? '') <= current.start);
}, 'The spans of one day must not overlap.');

/** Weekly hours as people write them: a day that is left out is a day off; a gap between two spans is a break. */
export const weeklyHours = z.partialRecord(z.enum(WEEKDAYS), daySpans);

export type WeeklyHours = z.output<typeof weeklyHours>;

const minutes = (min: number, max: number) =>
  z
    .int('The {field} field must be a whole number of minutes.')
    .min(min, `The {field} field must be at least ${min}.`)
    .max(max, `The {field} field must be at most ${max}.`);

/** Far below where minor units stop being exact as numbers, in any currency. */
const MAX_PRICE = 1_000_000_000;

export const serviceInput = z.object({
  name: requiredText(200),
  description: textField(2_000).nullish(),
  duration_minutes: minutes(1, 1_440),
  price: z
    .number('The {field} field must be a number.')
    .min(0, 'The {field} field must not be negative.')
    .max(MAX_PRICE, `The {field} field must be at most ${MAX_PRICE}.`),
});

export const staffInput = z.object({
  name: requiredText(200),
  specialties: z.array(requiredText(100)).max(50).default([]),
  /** Names of services of this business. */
  services: z.array(requiredText(200)).max(500),
  hours: weeklyHours,
});

/** A whole business as one document: what `business import` reads. Records are matched by name. */
export const businessDocument = z.object({
  /** Hours of a business without staff; with staff, everyone keeps their own. */
  hours: weeklyHours.default({}),
  services: z.array(serviceInput).max(500).default([]),
  staff: z.array(staffInput).max(500).default([]),
});

export type BusinessDocument = z.output<typeof businessDocument>;

const namedRecords = z.array(z.object({ id: z.int(), name: z.string() }));

/** What an import answers: the ids behind the document's names. */
export const importedBusiness = z.object({ services: namedRecords, staff: namedRecords });
