import { z } from 'zod';
import { apiKeySchema, createdApiKey } from './api-keys.ts';
import { bookabilitySchema } from './bookability.ts';
import { deliverySchema } from './deliveries.ts';
import { instantOut, textField } from './fields.ts';
import { QUOTA_NAMES } from './quotas.ts';
import {
  appointmentStatistics,
  callStatistics,
  deliveryStatistics,
  requestStatistics,
} from './statistics.ts';
import { usageSchema } from './usage.ts';
import { createdEndpoint, endpointSchema } from './webhooks.ts';

/** Longest that is read of a password: what hashes it takes time by its length. */
const MAX_PASSWORD = 200;
const MIN_PASSWORD = 10;

export const emailField = textField(254).regex(
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  'The {field} field must be an email address.',
);

/** A password that somebody chooses. */
export const newPasswordField = textField(MAX_PASSWORD).min(
  MIN_PASSWORD,
  `The {field} field must be at least ${MIN_PASSWORD} characters.`,
);

export const signInBody = z.object({ email: textField(254), password: textField(MAX_PASSWORD) });
export const signedIn = z.object({ csrf_token: z.string() });

/** What a page's forms send to change a password. */
export const changePasswordBody = z.object({
  current_password: textField(MAX_PASSWORD),
  new_password: newPasswordField,
});
export const resetPasswordBody = z.object({ token: textField(100), new_password: newPasswordField });

export const createAdminBody = z.object({ email: emailField, password: newPasswordField });
export const resetLinkBody = z.object({ email: textField(254) });

/** Somebody who signs in to one tenant's settings. */
export const adminUserSchema = z.object({
  id: z.int(),
  email: z.string(),
  created_at: instantOut,
  last_sign_in_at: instantOut.nullable(),
});

export type AdminUser = z.infer<typeof adminUserSchema>;

/** Somebody who may become an admin, by a link that they have been sent. */
const invitationSchema = z.object({
  id: z.int(),
  email: z.string(),
  /** The email of the admin who made it. */
  invited_by: z.string(),
  created_at: instantOut,
  expires_at: instantOut,
});

export type Invitation = z.infer<typeof invitationSchema>;

export const invitationBody = z.object({ email: emailField });

/** Shows the link, as nothing else does. */
export const invitationMade = invitationSchema
  .pick({ id: true, email: true, expires_at: true })
  .extend({ url: z.string() });

/** The JSON of `GET /settings/people`. */
export const peopleSchema = z.object({
  admins: z.array(adminUserSchema),
  invitations: z.array(invitationSchema),
});

export const resetLinkSchema = z.object({ url: z.string(), expires_at: instantOut });

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
  deliveries: deliveryStatistics.nullable(),
  requests: requestStatistics.nullable(),
  usage: usageSchema.nullable(),
  /** Missed calls of the last days that nobody has called back. */
  to_call_back: z.int().nullable(),
  /** Those of which little is left. */
  quotas: z.array(z.object({ name: z.enum(QUOTA_NAMES), used: z.int(), allowed: z.int() })).nullable(),
  /** What a new business still has to set up; null where all required steps are done. */
  first_steps: z.array(z.object({ step: z.string(), done: z.boolean(), optional: z.boolean() })).nullable(),
});
