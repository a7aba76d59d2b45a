import { z } from 'zod';
import { instantOut } from '../fields/fields.ts';
import { planField } from '../limits/plans.ts';

const usedWindow = z.object({ limit: z.int(), used: z.int(), resets_at: instantOut });

/** What a tenant's keys have used of its plan in the present minute and the present UTC day. */
export const usageSchema = z.object({ plan: planField, minute: usedWindow, day: usedWindow });

export type Usage = z.infer<typeof usageSchema>;
