import { z } from 'zod';
import type { KeyScope } from '../access/scopes.ts';
import { instantOut, textField } from '../fields/fields.ts';
import { MAX_LENGTH } from '../limits/api-limits.ts';
import { flagField } from './business/business-fields.ts';
import { customHeaderChanges, customHeaders } from './custom-headers.ts';

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
  'customer.merged': 'customer.merged',
  'appointment.booked': 'appointment.created',
  'call.completed': 'call.ended',
  missed_call: 'call.missed',
} as const;

export type WebhookEventName = keyof typeof WEBHOOK_EVENTS;

/** Other names of events, under which an endpoint may ask for them. */
export const EVENT_ALIASES = Object.entries(WEBHOOK_EVENTS).flatMap(([name, event]) =>
  name === event ? [] : [name],
);
export type CanonicalWebhookEvent = (typeof WEBHOOK_EVENTS)[WebhookEventName];

export const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as [WebhookEventName, ...WebhookEventName[]];

export const webhookEventName = z.enum(
  WEBHOOK_EVENT_NAMES,
  `The {field} field must hold only these names: ${WEBHOOK_EVENT_NAMES.join(', ')}.`,
);

/** What may be given to an endpoint: each opens the events of its records, the last one what was said in calls. */
export const ENDPOINT_SCOPES = [
  'appointments:read',
  'customers:read',
  'calls:read',
  'calls:transcripts',
] as const satisfies readonly KeyScope[];

export type EndpointScope = (typeof ENDPOINT_SCOPES)[number];

/** What it takes to be sent, or shown, an event; null for the test of an endpoint, which has no data. */
export function scopeOfEvent(name: string): EndpointScope | null {
  const event: string = WEBHOOK_EVENTS[name as WebhookEventName] ?? name;
  const [record] = event.split('.');
  return ENDPOINT_SCOPES.find((scope) => scope === `${record}s:read`) ?? null;
}

/** Whether whoever has some scopes may see an event of this name. @param hasScope whether a scope is among them */
export function allowsEvent(hasScope: (scope: EndpointScope) => boolean, name: string): boolean {
  const scope = scopeOfEvent(name);
  return scope === null || hasScope(scope);
}

/** Sent on request, to try an endpoint: nobody can subscribe to it. */
export const TEST_EVENT = 'endpoint.test';

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

/** The body of a delivery. `sequence` grows with every change of that one record. */
export interface WebhookPayload {
  id: string;
  event: WebhookEventName | typeof TEST_EVENT;
  created_at: string;
  sequence: number;
  /** Nothing has happened: somebody tries the endpoint or a call source. */
  test?: true;
  data: object;
}

const NOT_SCOPES = `The {field} field must hold only these scopes: ${ENDPOINT_SCOPES.join(', ')}.`;

const endpointFields = {
  url: textField(MAX_LENGTH.url).describe('Where its events are sent: https, to a public address.'),
  events: z
    .array(webhookEventName, 'The {field} field must be an array of event names.')
    .min(1, 'The {field} field must name at least one event.')
    .transform((names) => [...new Set(names)])
    .describe('The events that it gets.'),
};

export const createEndpointBody = z.object({
  ...endpointFields,
  /** Fixed for good: what an attempt has sent, the next one sends too. Without it all that its maker has. */
  scopes: z
    .array(z.enum(ENDPOINT_SCOPES, NOT_SCOPES), NOT_SCOPES)
    .min(1, 'The {field} field must name at least one scope.')
    .transform((chosen) => ENDPOINT_SCOPES.filter((scope) => chosen.includes(scope)))
    .optional()
    .describe(
      'What its events may show: events of the records that these scopes open, and with calls:transcripts what was said in calls. Without it all that the key has. Fixed for good.',
    ),
  headers: customHeaders.optional(),
});

export type CreateEndpoint = z.infer<typeof createEndpointBody>;

/** `is_active` false is a pause, true ends it, and whatever has disabled the endpoint. */
export const updateEndpointBody = z
  .object({
    ...endpointFields,
    is_active: flagField.describe('false pauses the endpoint, true resumes it, also where it was disabled.'),
    headers: customHeaderChanges.nullable(),
  })
  .partial();

export type UpdateEndpoint = z.infer<typeof updateEndpointBody>;

export const rotateSecretBody = z.object({
  force: flagField
    .default(false)
    .describe(
      'Replaces the secret even if it was replaced less than a day ago: the one before ends at once.',
    ),
});

export const endpointSchema = z.object({
  id: z.int(),
  url: z.string(),
  events: z.array(z.string()),
  scopes: z.array(z.string()),
  is_active: z.boolean(),
  created_at: instantOut,
});

/**
 * `new`: nothing has been sent yet; `untried`: nothing since it was resumed or moved; `suspended`: what there is waits, as its
 * business is suspended.
 */
export const ENDPOINT_HEALTH = [
  ...(['new', 'untried', 'healthy', 'failing'] as const),
  ...(['suspended', 'paused', 'disabled'] as const),
] as const;

/** Of an endpoint's deliveries, the newest that its health counts. */
export const MAX_COUNTED_RECENT = 1_000;

const endpointState = z.enum(['active', 'paused', 'disabled']);

/** An endpoint as those who run it see it. */
export const endpointAdminSchema = endpointSchema.extend({
  /** The names of its custom headers, in lower case. */
  headers: z.array(z.string()),
  state: endpointState,
  /** Since when it has been paused or disabled; null while it is active. */
  paused_at: instantOut.nullable(),
  /** `gone`: it answered 410; `failing`: for days without one success. */
  disabled_reason: z.string().nullable(),
  health: z.object({
    /** The one word that all pages go by; why, since when and what comes next is in the other fields. */
    status: z.enum(ENDPOINT_HEALTH),
    /** When the earliest waiting delivery is tried; null where none waits, or one is under way. */
    next_attempt_at: instantOut.nullable(),
    /** Deliveries that wait or are under way, counted up to `MAX_COUNTED_RECENT`. */
    waiting: z.int(),
    /** Deliveries of the last 24 hours that have come to an end; the newest `MAX_COUNTED_RECENT` of them, where there are more. */
    recent: z.object({ delivered: z.int(), failed: z.int() }),
    /** Of its last finished deliveries, from 0 to 1; null where there is none. */
    success_rate: z.number().nullable(),
    last_success_at: instantOut.nullable(),
    last_failure_at: instantOut.nullable(),
    last_failure: z.string().nullable(),
    failing_since: instantOut.nullable(),
    consecutive_failures: z.int(),
    /** Deliveries dropped unsent: they waited beyond the retention, while the business was suspended or the endpoint paused. */
    dropped_deliveries: z.int(),
  }),
  secret_last_four: z.string(),
  /** Until then the secret before signs as well. */
  previous_secret_until: instantOut.nullable(),
  updated_at: instantOut,
});

export type EndpointAdmin = z.infer<typeof endpointAdminSchema>;

/** Shows the signing secret, as nothing but `rotatedSecret` does. */
export const createdEndpoint = endpointSchema.extend({ secret: z.string() });

export const rotatedSecret = z.object({
  id: z.int(),
  secret: z.string(),
  previous_secret_until: instantOut,
});

/** The `data` of `endpoint.disabled`. */
export const disabledEndpoint = endpointSchema.extend({ disabled_reason: z.string() });
