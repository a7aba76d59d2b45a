import { z } from 'zod';
import { QUOTA_NAMES } from '../limits/quotas.ts';
import { apiKeySchema, createdApiKey } from './api-keys.ts';
import { bookabilitySchema } from './business/bookability.ts';
import { deliverySchema } from './deliveries.ts';
import {
  appointmentStatistics,
  callStatistics,
  deliveryStatistics,
  requestStatistics,
} from './statistics.ts';
import { usageSchema } from './usage.ts';
import { createdEndpoint, endpointSchema } from './webhooks.ts';

/** The JSON of `GET /settings/api`. */
export const apiSettings = z.object({
  keys: z.array(apiKeySchema),
  webhooks: z.array(endpointSchema),
  deliveries: z.array(
    deliverySchema.omit({ status: true, next_attempt_at: true, duration_ms: true, feed_cursor: true }),
  ),
  usage: usageSchema,
});

/** The JSON of a key and of an endpoint that were made just now: with what is shown this once. */
export const keyMade = createdApiKey.omit({ last_used_at: true, created_at: true });
export const endpointMade = createdEndpoint.omit({ created_at: true });

/** The JSON of `GET /settings`. Null is what its service could not say in time. */
export const overviewSchema = z.object({
  appointments: appointmentStatistics.nullable(),
  bookability: bookabilitySchema.nullable(),
  calls: callStatistics.nullable(),
  /** Left out where the member may not see them. */
  deliveries: deliveryStatistics.nullable().optional(),
  requests: requestStatistics.nullable(),
  usage: usageSchema.nullable(),
  /** Missed calls of the last days that nobody has called back. */
  to_call_back: z.int().nullable(),
  /** Those of which little is left. */
  quotas: z.array(z.object({ name: z.enum(QUOTA_NAMES), used: z.int(), allowed: z.int() })).nullable(),
  /** What a new business still has to set up; null where all required steps are done. */
  first_steps: z.array(z.object({ step: z.string(), done: z.boolean(), optional: z.boolean() })).nullable(),
});

/** The JSON of `GET /settings/statistics`: what of the overview is counted. */
export const statisticsSchema = overviewSchema.pick({
  appointments: true,
  calls: true,
  deliveries: true,
  requests: true,
  usage: true,
});
