import { z } from 'zod';
import { because } from '../errors/field-faults.ts';
import { isEmailAddress } from '../fields/email-address.ts';
import { instantOut, positiveId, requiredText, textField } from '../fields/fields.ts';
import { listQuery } from '../fields/pagination.ts';
import { MAX_LENGTH, MAX_NAMED_CUSTOMERS } from '../limits/api-limits.ts';
import { flagField, listOf } from './business/business-fields.ts';

const segment = z.enum(
  ['lead', 'active', 'inactive', 'vip'],
  'The {field} field must be one of lead, active, inactive, vip.',
);

/** RFC 5321. What is longer is refused for that, and not read any further. */

const email = textField(MAX_LENGTH.email)
  .refine(
    (text) => text.length > MAX_LENGTH.email || isEmailAddress(text),
    because({ reason: 'not_email' }, 'The {field} field must be an e-mail address.'),
  )
  .meta({ format: 'idn-email', description: 'Also an international one, such as jö@exämple.de.' });

export const customerListEntry = z.object({
  id: z.int(),
  name: z.string(),
  phone: z.string().describe('As it was given.'),
  email: z.string().nullable(),
  segment,
  pipeline_stage: z.string().nullable(),
  notes: z.string().nullable(),
  source: z.string(),
  created_at: instantOut,
  updated_at: instantOut.describe(
    'RFC 3339, with an offset. Also changes with the totals that the single view shows.',
  ),
});

export type CustomerListEntry = z.infer<typeof customerListEntry>;

/**
 * The single view, also the `data` of `customer.*` events: a change of the totals is an event. `total_spent` is a decimal number of
 * `currency`.
 */
export const customerSchema = customerListEntry.extend({
  total_appointments: z
    .int()
    .describe('Of all statuses. A booking counts a moment later, and is then a customer.updated.'),
  total_spent: z.number().describe('The prices of the completed ones, as far as they are in this currency.'),
  currency: z.string().describe('ISO 4217.'),
  last_visit_date: z
    .string()
    .nullable()
    .meta({ format: 'date', description: 'Of the latest completed one, Y-m-d.' }),
});

export type Customer = z.infer<typeof customerSchema>;

/** The `data` of `customer.merged`: a customer who is part of another one from now on. */
export const mergedCustomer = z.object({
  id: z.int().describe('The merged customer, who no longer exists.'),
  merged_into: z
    .int()
    .describe('The customer who has their appointments and calls now. Replace the one id by the other.'),
  phone: z
    .string()
    .describe('A number that leads to the customer merged_into, whose record shows another one.'),
  merged_at: instantOut,
});

export type MergedCustomer = z.infer<typeof mergedCustomer>;

/** Internal: how many customers each segment has. */
export const customerCounts = z.object({ segments: z.record(segment, z.int()) });

export type CustomerCounts = z.infer<typeof customerCounts>;

/** Internal: the pipeline stages in use, the most common first. */
export const stagesInUse = z.array(z.string());

export const createCustomerBody = z.object({
  name: requiredText(MAX_LENGTH.name),
  phone: requiredText(MAX_LENGTH.phone).meta({
    format: 'phone',
    description:
      'A telephone number; with a country code, or of the business’s country. No two customers share one.',
  }),
  email: email.nullish(),
  segment: segment.nullish().describe('lead where you don’t say.'),
  pipeline_stage: textField(MAX_LENGTH.pipelineStage).nullish(),
  notes: textField(MAX_LENGTH.notes).nullish(),
  source: textField(MAX_LENGTH.origin).nullish().describe('Where they come from; api by default.'),
});

export const createCustomerQuery = z.object({
  if_exists: z
    .literal('return', 'The {field} field must be return.')
    .optional()
    .describe(
      'return: where a customer has this phone number, the answer is 200 with their record as it is, instead of 422.',
    ),
});

export type CreateCustomer = z.output<typeof createCustomerBody>;

/** Internal: whose number it is. `create` makes an unknown number a customer, called `name` or else by the number. */
export const customerByPhoneBody = z.object({
  phone: requiredText(MAX_LENGTH.phone),
  name: requiredText(MAX_LENGTH.name).nullish(),
  create: flagField,
});

export const customerByPhoneAnswer = z.object({ customer_id: z.int().nullable() });

/** Internal: who these are. Ids that the tenant doesn't have are left out of the answer. */
export const customersByIdsBody = z.object({ ids: listOf(positiveId, MAX_NAMED_CUSTOMERS) });

/** `id` is the id that was asked for. Of a merged customer, name and phone are those of `merged_into`. */
export const namedCustomer = customerListEntry
  .pick({ id: true, name: true, phone: true })
  .extend({ merged_into: z.int().optional() });

export type NamedCustomer = z.infer<typeof namedCustomer>;

/** Tenants whose customers the gateway asks for, at most in one question. */
export const MAX_CUSTOMER_TOTALS = 500;

/** Internal: how many customers these tenants have. */
export const customerTotalsBody = z.object({ tenant_ids: listOf(positiveId, MAX_CUSTOMER_TOTALS) });

export const customerTotal = z.object({ tenant_id: z.int(), customers: z.int() });

export type CustomerTotal = z.infer<typeof customerTotal>;

export const updateCustomerBody = z.object({
  name: requiredText(MAX_LENGTH.name).optional(),
  email: email.nullish(),
  segment: segment.optional(),
  pipeline_stage: textField(MAX_LENGTH.pipelineStage).nullish(),
  notes: textField(MAX_LENGTH.notes).nullish(),
  phone: z.undefined('The phone field cannot be changed.').optional(),
});

export type UpdateCustomer = z.output<typeof updateCustomerBody>;

/** Internal: the same for those who run the business, who also correct a number. */
export const updateCustomerAdminBody = updateCustomerBody.extend({
  phone: createCustomerBody.shape.phone.optional(),
});

export type UpdateCustomerAdmin = z.output<typeof updateCustomerAdminBody>;

/**
 * Internal: makes another customer part of this one. The fields are those of this customer from then on; what is left out stays as it
 * is here. `takes_phone`: the other's number becomes this customer's; either way both numbers lead here.
 */
export const mergeCustomerBody = updateCustomerBody.omit({ phone: true }).extend({
  merged_id: positiveId,
  merged_if_match: textField(MAX_LENGTH.name)
    .optional()
    .describe('The ETag of the other customer as it was shown.'),
  takes_phone: flagField,
});

export type MergeCustomer = z.output<typeof mergeCustomerBody>;

export const listCustomersQuery = listQuery('created_at', 'updated_at', 'name').extend({
  segment: segment.optional(),
  pipeline_stage: textField(MAX_LENGTH.pipelineStage).optional(),
  phone: textField(MAX_LENGTH.phone).optional().meta({
    format: 'phone',
    description:
      'Only the customer with exactly this telephone number, in any notation of it: one record or none. A + that was not sent as %2B arrives as a space, and is understood.',
  }),
  search: textField(MAX_LENGTH.search)
    .optional()
    .describe(
      'Part of a name or an email, or digits of a phone number. Names with typing errors are not found. Without sort or updated_since, a customer whose whole number it is comes first. To find who calls, use phone.',
    ),
});

export type ListCustomers = z.output<typeof listCustomersQuery>;

/** So many similar names are shown where few customers are found. */
export const MAX_SIMILAR = 10;

/** Internal: whose names are like the search, typing errors apart, but don't hold it. Filters are those of the list. */
export const similarCustomersQuery = listCustomersQuery
  .pick({ segment: true, pipeline_stage: true })
  .extend({ search: textField(MAX_LENGTH.search) });

export type SimilarCustomers = z.output<typeof similarCustomersQuery>;
