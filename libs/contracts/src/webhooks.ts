import { z } from 'zod';
import { flagField } from './business-fields.ts';
import { instantOut, queryId, textField } from './fields.ts';
import { listQuery } from './pagination.ts';

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

/** The body of a delivery. `sequence` is the record's version: it grows with every change of that one record. */
export interface WebhookPayload {
  id: string;
  event: WebhookEventName | typeof TEST_EVENT;
  created_at: string;
  sequence: number;
  /** Nothing has happened: somebody tries the endpoint or a call source. */
  test?: true;
  data: object;
}

/** Of one tenant, the deleted ones not counted: each of its events is written once for every endpoint subscribed to it. */
export const MAX_ENDPOINTS = 100;

const endpointFields = {
  url: textField(2_048),
  events: z
    .array(webhookEventName, 'The {field} field must be an array of event names.')
    .min(1, 'The {field} field must name at least one event.')
    .transform((names) => [...new Set(names)]),
};

export const createEndpointBody = z.object(endpointFields);

/** `is_active` false is a pause, true ends it, and whatever has disabled the endpoint. */
export const updateEndpointBody = z.object({ ...endpointFields, is_active: flagField }).partial();

export type UpdateEndpoint = z.infer<typeof updateEndpointBody>;

export const rotateSecretBody = z.object({ force: flagField.default(false) });

export const endpointSchema = z.object({
  id: z.int(),
  url: z.string(),
  events: z.array(z.string()),
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

/** An endpoint as those who run it see it. */
export const endpointAdminSchema = endpointSchema.extend({
  state: z.enum(['active', 'paused', 'disabled']),
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

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const;

const deliveryStatus = z.enum(DELIVERY_STATUSES);

export const deliverySchema = z.object({
  id: z.int(),
  endpoint_id: z.int(),
  event: z.string(),
  payload: z.looseObject({}),
  status: deliveryStatus,
  http_status: z.int().nullable(),
  /** Of the latest attempt. */
  duration_ms: z.int().nullable(),
  response_body: z.string().nullable(),
  attempt_count: z.int(),
  next_attempt_at: instantOut.nullable(),
  delivered_at: instantOut.nullable(),
  created_at: instantOut,
});

/** The same without what was sent and answered, which may be large: what lists show. */
export const deliverySummary = deliverySchema.omit({ payload: true, response_body: true });

export type DeliverySummary = z.infer<typeof deliverySummary>;

const headerRecord = z.record(z.string(), z.string());

/** One attempt of a delivery, as the log shows it. */
export const attemptSchema = z.object({
  attempt: z.int(),
  started_at: z.string(),
  duration_ms: z.int(),
  http_status: z.int().nullable(),
  error_class: z.string().nullable(),
  response_body: z.string().nullable(),
  request_headers: headerRecord,
  response_headers: headerRecord.nullable(),
});

export type DeliveryAttempt = z.infer<typeof attemptSchema>;

/** A delivery as its single view shows it. */
export const deliveryDetail = deliverySchema.extend({ attempts: z.array(attemptSchema) });

export type DeliveryDetail = z.infer<typeof deliveryDetail>;

export const REPLAY_KINDS = ['failed', 'window', 'missed'] as const;

const instantIn = z.iso
  .datetime({
    offset: true,
    error: 'The {field} field must be an RFC 3339 instant, for example 2026-01-31T09:00:00Z.',
  })
  .transform((text) => new Date(text));

/** The id of an event, as receivers are told it or without its prefix. */
const eventIdField = z
  .string()
  .regex(
    /^(evt_)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    'The {field} field must be the id of an event, for example evt_0b0f5c1e-6f0d-4a3f-9d1c-2f1a7d0c9b11.',
  )
  .transform((text) => text.replace(/^evt_/i, '').toLowerCase());

/** The delivery log, by when events came in, newest first: `from` is the first instant, `to` the one behind the last. */
export const listDeliveriesQuery = listQuery('id')
  .omit({ sort: true, updated_since: true })
  .extend({
    id: queryId.optional(),
    event_id: eventIdField.optional(),
    endpoint_id: queryId.optional(),
    event: z
      .enum(
        [...WEBHOOK_EVENT_NAMES, TEST_EVENT],
        `The {field} field must be one of ${[...WEBHOOK_EVENT_NAMES, TEST_EVENT].join(', ')}.`,
      )
      .optional(),
    status: z
      .enum(deliveryStatus.options, `The {field} field must be one of ${deliveryStatus.options.join(', ')}.`)
      .optional(),
    from: instantIn.optional(),
    to: instantIn.optional(),
  });

export type ListDeliveriesQuery = z.output<typeof listDeliveriesQuery>;

/**
 * Which deliveries to make: again all that failed, what came in from `from` up to, but without, `to`; or what came in while the
 * endpoint was last paused or disabled, and never went to it.
 */
export const createReplayBody = z
  .object({
    kind: z
      .enum(REPLAY_KINDS, `The {field} field must be one of ${REPLAY_KINDS.join(', ')}.`)
      .default('window'),
    from: instantIn.optional(),
    to: instantIn.optional(),
    include_delivered: flagField.default(false),
  })
  .transform(({ kind, from, to, include_delivered }, context) => {
    const fault = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message, input: undefined });
    if (kind !== 'window') {
      if (from || to)
        fault(
          'from',
          `The {field} field goes with a window, not with what ${kind === 'failed' ? 'failed' : 'was missed'}.`,
        );
      return { kind, from: null, to: null, include_delivered: false };
    }
    if (!from) fault('from', 'The {field} field is required.');
    if (!to) fault('to', 'The {field} field is required.');
    if (from && to && from >= to) fault('to', 'The {field} field must be after from.');
    return { kind, from: from ?? null, to: to ?? null, include_delivered };
  });

export type CreateReplay = z.output<typeof createReplayBody>;

export const replaySchema = z.object({
  id: z.int(),
  endpoint_id: z.int(),
  kind: z.enum(REPLAY_KINDS),
  status: z.enum(['running', 'done', 'cancelled']),
  from: instantOut.nullable(),
  to: instantOut.nullable(),
  include_delivered: z.boolean(),
  /** What was found when it began. */
  total: z.int(),
  queued: z.int(),
  skipped: z.int(),
  created_at: instantOut,
  finished_at: instantOut.nullable(),
});

export type Replay = z.infer<typeof replaySchema>;

/** What came in for an endpoint while it was last paused or disabled, and has not gone to it. */
export const missedEvents = z.object({
  /** When it was resumed; null while it is still paused or disabled, and where it never was. */
  to: instantOut.nullable(),
  count: z.int(),
  /** More came in since than were looked at: there may be more of them. */
  is_partial: z.boolean(),
});

export type MissedEvents = z.infer<typeof missedEvents>;
