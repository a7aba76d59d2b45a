import { z } from 'zod';
import type { Plan } from './plans.ts';

/**
 * By plan: how many records and bytes a business may keep, how many appointments it may create in a UTC day (twice the API's requests,
 * so that the reception still books when an integrator has used up all of them), and what its call sources may send in one.
 */
export const PLAN_QUOTAS = {
  starter: {
    call_sources: 5,
    api_keys: 10,
    admins: 5,
    staff: 20,
    services: 50,
    call_messages_per_day: 2_000,
    call_bytes_per_day: 200_000_000,
    customers: 50_000,
    appointments_per_day: 10_000,
    stored_bytes: 20_000_000_000,
  },
  pro: {
    call_sources: 20,
    api_keys: 50,
    admins: 25,
    staff: 100,
    services: 200,
    call_messages_per_day: 20_000,
    call_bytes_per_day: 2_000_000_000,
    customers: 500_000,
    appointments_per_day: 40_000,
    stored_bytes: 200_000_000_000,
  },
  enterprise: {
    call_sources: 100,
    api_keys: 200,
    admins: 200,
    staff: 200,
    services: 500,
    call_messages_per_day: 200_000,
    call_bytes_per_day: 20_000_000_000,
    customers: 5_000_000,
    appointments_per_day: 200_000,
    stored_bytes: 2_000_000_000_000,
  },
} as const satisfies Record<Plan, Record<string, number>>;

export type QuotaName = keyof (typeof PLAN_QUOTAS)['starter'];

export type Quotas = Record<QuotaName, number>;

export const QUOTA_NAMES = Object.keys(PLAN_QUOTAS.starter) as QuotaName[];

/** What each quota counts, in the words of messages and pages. */
export const QUOTA_NOUNS = {
  call_sources: 'call sources',
  api_keys: 'API keys',
  admins: 'people and open invitations',
  staff: 'active staff members',
  services: 'active services',
  call_messages_per_day: 'call messages per day',
  call_bytes_per_day: 'bytes of call messages per day',
  customers: 'customers',
  appointments_per_day: 'new appointments per day',
  stored_bytes: 'stored bytes',
} as const satisfies Record<QuotaName, string>;

const forEachQuota = <Schema extends z.ZodType>(schema: Schema) =>
  z.object(Object.fromEntries(QUOTA_NAMES.map((name) => [name, schema])) as Record<QuotaName, Schema>);

/** Quotas in a record. Partial, so that records of older and newer releases can be read. */
export const quotasSchema = forEachQuota(z.int()).partial();

/** A tenant's quotas as records and events carry them. */
export type StatedQuotas = z.infer<typeof quotasSchema>;

/** How much of its quotas a tenant uses: records now, messages and bytes of this UTC day. Each service names those that it decides. */
export const quotaUsageSchema = forEachQuota(z.int()).partial();

export type QuotaUsage = z.infer<typeof quotaUsageSchema>;

/** Quotas that the operator raises above the plan's; null resets one to the plan's. */
export const raisedQuotasBody = forEachQuota(
  z
    .int('The {field} field must be a whole number.')
    .min(0, 'The {field} field must be at least 0.')
    .max(1e15, 'The {field} field must be at most 1000000000000000.')
    .nullable()
    .optional(),
);

/** A tenant's effective quotas: its record's, and its plan's where the record has none, as those of earlier releases. */
export const quotasOf = (tenant: { plan: Plan; quotas?: StatedQuotas | null | undefined }): Quotas =>
  ({ ...PLAN_QUOTAS[tenant.plan], ...tenant.quotas }) as Quotas;

/**
 * Quotas that came when businesses were there already. Records of tenants leave one out until it is known how much the business has:
 * until then it is not in force.
 */
export const SETTLED_LATER = ['customers', 'stored_bytes'] as const satisfies QuotaName[];

export type SettledLater = (typeof SETTLED_LATER)[number];

/** A business that had more than its plan allows when the quota came keeps that, and a tenth more. */
export const keptQuota = (used: number): number => Math.ceil(used * 1.1);

/** How much of one quota a tenant uses. */
export const quotaUse = z.object({ tenant_id: z.int(), quota: z.enum(QUOTA_NAMES), used: z.int() });

export type QuotaUse = z.infer<typeof quotaUse>;

/** From this share of a plan's quota or rate limit on, the business is told that it is nearly used up. */
export const NEARLY_USED = 0.8;

/** From this share on operators see a tenant as near its quota. */
const NEAR_QUOTA = 0.9;

/** Who uses less than this is near no plan's quota. */
export const leastNear = (name: QuotaName): number =>
  Math.ceil(NEAR_QUOTA * Math.min(...Object.values(PLAN_QUOTAS).map((quotas) => quotas[name])));

/** Of these a service answers as many as this: those who use most. */
export const MAX_QUOTA_USES = 1_000;

/** The share from which a business is near that keeps what it had when the quota came, and a tenth more: half of that tenth. */
const NEAR_KEPT = 0.95;

interface WithQuotas {
  plan: Plan;
  quotas?: StatedQuotas | undefined;
}

const isSettledLater = (quota: QuotaName) => SETTLED_LATER.some((name) => name === quota);

/** What this quota of a business allows; null while it is not in force. */
export const quotaInForce = (quota: QuotaName, tenant: WithQuotas): number | null =>
  isSettledLater(quota) && tenant.quotas?.[quota] === undefined ? null : quotasOf(tenant)[quota];

/**
 * What this quota of a business allows, where it is in force and the business is near it; else null. Operators hear of
 * it later than admins.
 */
export function nearQuota(
  { quota, used }: Pick<QuotaUse, 'quota' | 'used'>,
  tenant: WithQuotas,
  from: number = NEAR_QUOTA,
): number | null {
  const allowed = quotaInForce(quota, tenant);
  if (allowed === null) return null;
  // What is kept and a tenth more is nine tenths used from the first day on.
  const isKept = isSettledLater(quota) && allowed > PLAN_QUOTAS[tenant.plan][quota];
  return used >= (isKept ? NEAR_KEPT : from) * allowed ? allowed : null;
}
