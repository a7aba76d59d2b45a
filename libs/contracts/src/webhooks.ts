import { z } from 'zod';
import { instantOut, textField } from './fields.ts';

/** Names under which an endpoint may subscribe → the canonical event. Aliases come from the contract's second listing. */
export const WEBHOOK_EVENTS = {
  'appointment.created': 'appointment.created',
  'appointment.updated': 'appointment.updated',
  'appointment.cancelled': 'appointment.cancelled',
  'call.ended': 'call.ended',
  'call.missed': 'call.missed',
  'call.updated': 'call.updated',
  'customer.created': 'customer.created',
  'customer.updated': 'customer.updated',
  'appointment.booked': 'appointment.created',
  'call.completed': 'call.ended',
  missed_call: 'call.missed',
} as const;

export type WebhookEventName = keyof typeof WEBHOOK_EVENTS;
export type CanonicalWebhookEvent = (typeof WEBHOOK_EVENTS)[WebhookEventName];

const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as [WebhookEventName, ...WebhookEventName[]];

export const webhookEventName = z.enum(
  WEBHOOK_EVENT_NAMES,
  `The {field} field must hold only these names: ${WEBHOOK_EVENT_NAMES.join(', ')}.`,
);

/** Headers of a delivery: the contract's own signature, and those of Standard Webhooks beside it. */
export const SIGNATURE_HEADERS = {
  service: 'x-service-signature',
  /** By the secret before, for a day after it was replaced. */
  previous: 'x-service-signature-previous',
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

/** Prefix of every signing secret; what follows is base64. */
export const SECRET_PREFIX = 'whsec_';

/** The body of a delivery. `sequence` is the record's version: it grows with every change of that one record. */
export interface WebhookPayload {
  id: string;
  event: WebhookEventName;
  created_at: string;
  sequence: number;
  data: object;
}

export const createEndpointBody = z.object({
  url: textField(2_048),
  events: z
    .array(webhookEventName, 'The {field} field must be an array of event names.')
    .min(1, 'The {field} field must name at least one event.')
    .transform((names) => [...new Set(names)]),
});

export const endpointSchema = z.object({
  id: z.int(),
  url: z.string(),
  events: z.array(z.string()),
  is_active: z.boolean(),
  created_at: instantOut,
});

/** The only view that shows the signing secret. */
export const createdEndpoint = endpointSchema.extend({ secret: z.string() });

export const deliverySchema = z.object({
  id: z.int(),
  endpoint_id: z.int(),
  event: z.string(),
  payload: z.looseObject({}),
  status: z.enum(['pending', 'delivered', 'failed', 'cancelled']),
  http_status: z.int().nullable(),
  response_body: z.string().nullable(),
  attempt_count: z.int(),
  next_attempt_at: instantOut.nullable(),
  delivered_at: instantOut.nullable(),
  created_at: instantOut,
});
