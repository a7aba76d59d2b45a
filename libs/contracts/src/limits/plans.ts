import { z } from 'zod';

/** Requests that the keys of one tenant may make together, per fixed minute and fixed UTC day. */
export const PLAN_LIMITS = {
  starter: { perMinute: 30, perDay: 5_000 },
  pro: { perMinute: 100, perDay: 20_000 },
  enterprise: { perMinute: 500, perDay: 100_000 },
} as const;

export type Plan = keyof typeof PLAN_LIMITS;

/** All plans, the smallest first. */
export const PLANS = Object.keys(PLAN_LIMITS) as [Plan, ...Plan[]];

export const planField = z.enum(PLANS, `The {field} field must be one of ${PLANS.join(', ')}.`);
