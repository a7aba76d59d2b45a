import { z } from 'zod';
import { countryField, currencyField, instantOut, requiredText, timeZoneField } from '../fields/fields.ts';
import { listQuery } from '../fields/pagination.ts';
import { MAX_LENGTH } from '../limits/api-limits.ts';
import { planField } from '../limits/plans.ts';
import { quotasSchema, raisedQuotasBody } from '../limits/quotas.ts';

export const tenantStatus = z.enum(['active', 'suspended']);

/** A tenant as the gateway owns it and as `tenant.*` events carry it. */
export const tenantSchema = z.object({
  id: z.int(),
  name: z.string(),
  plan: planField,
  status: tenantStatus,
  timezone: z.string(),
  country: z.string(),
  currency: z.string(),
  /** Effective quotas. Events of earlier releases have none, so read them by `quotasOf`. Those of `SETTLED_LATER` may be left out. */
  quotas: quotasSchema.optional(),
  /** Where it stores more bytes than its quota allows, with the margin of a daily measurement: then nothing may be added. */
  storage_full: z.boolean().optional(),
  created_at: instantOut,
  updated_at: instantOut,
});

export type Tenant = z.infer<typeof tenantSchema>;

/** One tenant as the gateway answers services that keep a copy: `version` is the one its latest event carries. */
export const tenantView = tenantSchema.extend({ version: z.int() });

export type TenantView = z.infer<typeof tenantView>;

export const createTenantBody = z.object({
  name: requiredText(MAX_LENGTH.name),
  plan: planField,
  timezone: timeZoneField,
  country: countryField,
  currency: currencyField,
});

export type CreateTenant = z.output<typeof createTenantBody>;

/** Country and currency stay: phone numbers and prices have been read by them. */
export const updateTenantBody = z.object({
  name: requiredText(MAX_LENGTH.name).optional(),
  timezone: timeZoneField.optional(),
  plan: planField.optional(),
  status: tenantStatus.optional(),
  quotas: raisedQuotasBody.optional(),
});

export type UpdateTenant = z.output<typeof updateTenantBody>;

/** What a business's own admins change of it; plan, status and quotas are the operator's. */
export const updateTenantProfileBody = updateTenantBody.pick({ name: true, timezone: true });

export type UpdateTenantProfile = z.output<typeof updateTenantProfileBody>;

/** For operators: the list of all tenants. */
export const listTenantsQuery = listQuery('id', 'updated_at');

export type ListTenants = z.output<typeof listTenantsQuery>;
