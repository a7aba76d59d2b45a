import { z } from 'zod';
import { flagField, listOf } from './business-fields.ts';
import { instantOut, positiveId, requiredText, textField } from './fields.ts';
import { listQuery } from './pagination.ts';

const segment = z.enum(
  ['lead', 'active', 'inactive', 'vip'],
  'The {field} field must be one of lead, active, inactive, vip.',
);

const email = textField(254).pipe(z.email('The {field} field must be an e-mail address.'));

export const customerListEntry = z.object({
  id: z.int(),
  name: z.string(),
  phone: z.string(),
  email: z.string().nullable(),
  segment,
  pipeline_stage: z.string().nullable(),
  notes: z.string().nullable(),
  source: z.string(),
  created_at: instantOut,
  updated_at: instantOut,
});

export type CustomerListEntry = z.infer<typeof customerListEntry>;

/** The single view, also the `data` of `customer.*` events. `total_spent` is a decimal number of `currency`. */
export const customerSchema = customerListEntry.extend({
  total_appointments: z.int(),
  total_spent: z.number(),
  currency: z.string(),
  last_visit_date: z.string().nullable(),
});

export type Customer = z.infer<typeof customerSchema>;

export const createCustomerBody = z.object({
  name: requiredText(200),
  phone: requiredText(40),
  email: email.nullish(),
  segment: segment.nullish(),
  pipeline_stage: textField(64).nullish(),
  notes: textField(5_000).nullish(),
  source: textField(64).nullish(),
});

export type CreateCustomer = z.output<typeof createCustomerBody>;

/** Internal: whose number it is. `create` makes an unknown number a customer, called `name` or else by the number. */
export const customerByPhoneBody = z.object({
  phone: requiredText(40),
  name: requiredText(200).nullish(),
  create: flagField,
});

export const customerByPhoneAnswer = z.object({ customer_id: z.int().nullable() });

/** Customers that other records name, at most in one question. */
const MAX_NAMED_CUSTOMERS = 10_000;

/** Internal: who these are. Ids that the tenant doesn't have are left out of the answer. */
export const customersByIdsBody = z.object({ ids: listOf(positiveId, MAX_NAMED_CUSTOMERS) });

export const namedCustomer = customerListEntry.pick({ id: true, name: true, phone: true });

export type NamedCustomer = z.infer<typeof namedCustomer>;

export const updateCustomerBody = z.object({
  name: requiredText(200).optional(),
  email: email.nullish(),
  segment: segment.optional(),
  pipeline_stage: textField(64).nullish(),
  notes: textField(5_000).nullish(),
  phone: z.undefined('The phone field cannot be changed.').optional(),
});

export type UpdateCustomer = z.output<typeof updateCustomerBody>;

export const listCustomersQuery = listQuery('created_at', 'updated_at').extend({
  segment: segment.optional(),
  pipeline_stage: textField(64).optional(),
  search: textField(200).optional(),
});

export type ListCustomers = z.output<typeof listCustomersQuery>;
