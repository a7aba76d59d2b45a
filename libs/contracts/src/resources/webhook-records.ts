import { z } from 'zod';
import { growingValues, instantOut } from '../fields/fields.ts';
import { deliveryDetail, deliverySummary, listDeliveriesQuery } from './deliveries.ts';
import { endpointAdminSchema } from './webhooks.ts';

/** An endpoint as API v1 shows it: what it is, and how it fares as far as that costs no count of its deliveries. */
export const webhookSchema = z.object({
  id: z.int(),
  url: z.string().describe('Where its events are sent.'),
  events: z.array(z.string()).describe('The events that it gets, by the names that it subscribed to.'),
  scopes: z.array(z.string()).describe('What its events may show. Fixed for good.'),
  headers: z
    .array(z.string())
    .describe('The names of its custom headers, in lower case. Their values are never shown.'),
  is_active: z.boolean().describe('false while it is paused or disabled: nothing is sent.'),
  state: endpointAdminSchema.shape.state
    .describe('What is_active says, and why: somebody has paused it, or its answers have disabled it.')
    .register(growingValues, {}),
  disabled_reason: z
    .string()
    .nullable()
    .describe(
      'gone: it answered 410. failing: it failed for days without a success. null unless it is disabled.',
    ),
  last_success_at: instantOut.nullable(),
  last_failure_at: instantOut.nullable(),
  last_failure: z
    .string()
    .nullable()
    .describe('Of the latest failed attempt: HTTP and the status, or the class of the failure.'),
  failing_since: instantOut
    .nullable()
    .describe('When its failures began, with no success since; null while it works. RFC 3339.'),
  secret: z.string().optional().describe('The signing secret: only in the answer that made it.'),
  secret_last_four: z.string().describe('The end of the signing secret.'),
  previous_secret_until: instantOut
    .nullable()
    .describe('Until then the secret before signs too; null where none does. RFC 3339.'),
  created_at: instantOut,
  updated_at: instantOut,
});

export type WebhookRecord = z.infer<typeof webhookSchema>;

/** The log of API v1; one delivery has a path of its own. */
export const listWebhookDeliveriesQuery = listDeliveriesQuery.omit({ id: true });

const status = deliverySummary.shape.status
  .describe(
    'pending: it waits for an attempt. failed: its attempts are used up. cancelled: its endpoint was deleted or disabled.',
  )
  .register(growingValues, {});

export const webhookDeliveryListEntry = deliverySummary.extend({ status });
export const webhookDeliverySchema = deliveryDetail.extend({ status });
