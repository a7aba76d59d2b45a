import { z } from 'zod';
import { positiveId, requiredText, textField } from '../fields/fields.ts';
import { MAX_LENGTH } from '../limits/api-limits.ts';
import { flagField, listOf, MAX_NAMED_RECORDS, minutesField } from './business/business-fields.ts';

/** A bookable service, as list and single view return it. `price` is a decimal number of `currency`. */
export const serviceSchema = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string().nullable(),
  duration_minutes: z.int(),
  price: z.number().describe('In the currency’s main unit.'),
  currency: z.string().describe('ISO 4217.'),
});

export type Service = z.infer<typeof serviceSchema>;

/** A service as its owner sees it: also while it is inactive. */
export const serviceAdminSchema = serviceSchema.extend({
  buffer_before_minutes: z.int(),
  buffer_after_minutes: z.int(),
  is_active: z.boolean(),
  /** What it stands under where a service is chosen; null for none. Earlier releases leave it out. */
  category: z.string().nullish(),
  /** Scheduled appointments from now on. */
  coming_appointments: z.int(),
});

export type ServiceAdmin = z.infer<typeof serviceAdminSchema>;

/** Far below where minor units stop being exact as numbers, in any currency. */
const MAX_PRICE = 1_000_000_000;

export const priceField = z
  .number('The {field} field must be a number.')
  .min(0, 'The {field} field must not be negative.')
  .max(MAX_PRICE, `The {field} field must be at most ${MAX_PRICE}.`);

/** Characters of a service's category. */
export const MAX_CATEGORY = 64;

const fields = {
  name: requiredText(MAX_LENGTH.name),
  description: textField(MAX_LENGTH.description).nullish(),
  duration_minutes: minutesField(1, 1_440),
  price: priceField,
  /** What services are grouped by where one is chosen. */
  category: z
    .preprocess(
      (text) => (typeof text === 'string' ? text.trim() || null : text),
      textField(MAX_CATEGORY).nullable(),
    )
    .optional(),
  /** How long before and after a visit its staff member stays occupied. */
  buffer_before_minutes: minutesField(0, 1_440),
  buffer_after_minutes: minutesField(0, 1_440),
  is_active: flagField,
};

export const serviceInput = z.object({
  ...fields,
  buffer_before_minutes: fields.buffer_before_minutes.default(0),
  buffer_after_minutes: fields.buffer_after_minutes.default(0),
  is_active: fields.is_active.default(true),
});

export type ServiceInput = z.output<typeof serviceInput>;

const staffIds = listOf(positiveId, MAX_NAMED_RECORDS).default([]);
/** Staff who perform a service from now on, and who no longer do. Others stay as they are. */
const performers = z.object({ add: staffIds, remove: staffIds }).optional();

export type PerformerChange = NonNullable<z.output<typeof performers>>;

export const createServiceBody = serviceInput.extend({ performers });

export type CreateService = z.output<typeof createServiceBody>;

export const updateServiceBody = z.object(fields).partial().extend({ performers });

export type UpdateService = z.output<typeof updateServiceBody>;
