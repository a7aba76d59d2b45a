import { z } from 'zod';
import { instantOut, queryId } from '../fields/fields.ts';
import { listQuery } from '../fields/pagination.ts';
import { flagField } from './business/business-fields.ts';
import { TEST_EVENT, WEBHOOK_EVENT_NAMES } from './webhooks.ts';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const;

const deliveryStatus = z.enum(DELIVERY_STATUSES);

export const deliverySchema = z.object({
  id: z.int(),
  endpoint_id: z.int().describe('The endpoint that it goes to, which may be deleted by now.'),
  event: z.string().describe('By the name that the endpoint subscribed to.'),
  payload: z
    .looseObject({})
    .describe(
      'The body that is sent; of a call without what was said, unless the key and the endpoint have calls:transcripts.',
    ),
  status: deliveryStatus,
  http_status: z.int().nullable().describe('Of the latest answer; null where none came.'),
  duration_ms: z.int().nullable().describe('How long the latest attempt took.'),
  response_body: z.string().nullable().describe('The beginning of the latest answer.'),
  attempt_count: z.int(),
  next_attempt_at: instantOut.nullable(),
  delivered_at: instantOut.nullable(),
  created_at: instantOut.describe('When its event came in. RFC 3339.'),
  feed_cursor: z
    .string()
    .nullable()
    .describe(
      'Where the feed of events goes on behind its event; null of a test, of an event under another name, and until the feed has settled there.',
    ),
});

export type Delivery = z.infer<typeof deliverySchema>;

/** The same without what was sent and answered, which may be large: what lists show. */
export const deliverySummary = deliverySchema.omit({ payload: true, response_body: true });

export type DeliverySummary = z.infer<typeof deliverySummary>;

const headerRecord = z.record(z.string(), z.string());

/** One attempt of a delivery, as the log shows it. */
export const attemptSchema = z.object({
  attempt: z.int(),
  started_at: instantOut,
  duration_ms: z.int(),
  http_status: z.int().nullable(),
  error_class: z.string().nullable().describe('Why it failed; null of a success.'),
  response_body: z.string().nullable(),
  request_headers: headerRecord.describe('As they were sent, without the values of the endpoint’s own.'),
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

/** The id of an event, as receivers get it or without its prefix. */
export const eventIdField = z
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
    event_id: eventIdField.optional().describe('Only deliveries of this event.'),
    endpoint_id: queryId.optional().describe('Only deliveries to this endpoint.'),
    event: z
      .enum(
        [...WEBHOOK_EVENT_NAMES, TEST_EVENT],
        `The {field} field must be one of ${[...WEBHOOK_EVENT_NAMES, TEST_EVENT].join(', ')}.`,
      )
      .optional(),
    status: z
      .enum(deliveryStatus.options, `The {field} field must be one of ${deliveryStatus.options.join(', ')}.`)
      .optional(),
    from: instantIn.optional().describe('Only of events that came in at this RFC 3339 instant or later.'),
    to: instantIn.optional().describe('Only of events that came in before this RFC 3339 instant.'),
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
