import { z } from 'zod';
import { EXAMPLES } from '../description/examples.ts';
import { instantOut } from '../fields/fields.ts';
import { MISSED_BELOW_SECONDS } from '../limits/api-limits.ts';
import { testMark } from '../resources/calls/calls.ts';
import { type CanonicalWebhookEvent, WEBHOOK_EVENTS, type WebhookPayload } from '../resources/webhooks.ts';
import { EVENT_TYPES } from './events.ts';

/** When each event is sent, in the order of the contract. */
export const EVENT_MEANINGS: Record<CanonicalWebhookEvent, string> = {
  'appointment.created': 'a new appointment is booked',
  'appointment.updated': 'an appointment is moved or otherwise changed',
  'appointment.cancelled': 'an appointment is cancelled',
  'call.ended': 'a call is over and logged, with transcript and sentiment',
  'call.missed': `a call is missed: it lasted less than ${MISSED_BELOW_SECONDS} seconds`,
  'call.updated': 'something about a logged call came in later',
  'customer.created': 'a new customer is added',
  'customer.updated': 'a customer is changed, or what their appointments add up to',
  'customer.merged': 'a customer becomes part of another one',
};

export const CANONICAL_EVENTS = Object.keys(EVENT_MEANINGS) as CanonicalWebhookEvent[];

/** Other names under which an endpoint may subscribe to the event. */
export const aliasesOf = (event: CanonicalWebhookEvent): string[] =>
  Object.entries(WEBHOOK_EVENTS).flatMap(([name, canonical]) =>
    canonical === event && name !== event ? [name] : [],
  );

/** The body of a delivery of the event. */
export const webhookBody = (event: CanonicalWebhookEvent) =>
  z.object({
    id: z.string().describe('The event’s own id: the same at every attempt and every endpoint.'),
    event: z.enum([event, ...aliasesOf(event)]).describe('The name that the endpoint has subscribed to.'),
    created_at: instantOut.describe('When it happened.'),
    sequence: z
      .int()
      .describe('Grows with every change of that one record: what has the highest is the newest.'),
    ...(event.startsWith('call.') && { test: testMark }),
    data: EVENT_TYPES[event].data,
  });

const EXAMPLE_DATA: Record<CanonicalWebhookEvent, object> = {
  'appointment.created': EXAMPLES.appointment,
  'appointment.updated': { ...EXAMPLES.appointment, notes: 'Comes ten minutes late.' },
  'appointment.cancelled': {
    ...EXAMPLES.appointment,
    status: 'cancelled',
    cancelled_at: '2026-03-04T16:20:00Z',
  },
  'call.ended': EXAMPLES.call,
  'call.missed': {
    ...EXAMPLES.call,
    ended_at: '2026-03-02T08:57:19Z',
    duration: 9,
    missed: true,
    outcome: 'no_answer',
    sentiment: null,
    sentiment_source: null,
    quality_score: null,
    appointment_id: null,
    summary: null,
    transcript: [],
    recording_url: null,
  },
  'call.updated': { ...EXAMPLES.call, quality_score: 95 },
  'customer.created': { ...EXAMPLES.customer, total_appointments: 0, total_spent: 0, last_visit_date: null },
  'customer.updated': { ...EXAMPLES.customer, segment: 'vip' },
  'customer.merged': { id: 14, merged_into: 11, phone: '+4915112345678', merged_at: '2026-03-02T09:00:00Z' },
};

/** What a delivery of the event looks like. */
export const exampleOf = (event: CanonicalWebhookEvent): WebhookPayload => ({
  id: 'evt_0b4f8c1e-93a5-4d0c-8a8e-2f6d1a7c5b44',
  event,
  created_at: '2026-03-02T09:00:00Z',
  sequence: event.endsWith('created') || event === 'call.missed' ? 1 : 2,
  data: EXAMPLE_DATA[event],
});
