import { z } from 'zod';
import { dataOf, pageOf, removedRecord } from '../errors/envelope.ts';
import { BOTH_SECRETS_HOURS } from '../limits/api-limits.ts';
import { EVENT_RETENTION_DAYS } from '../limits/retention.ts';
import { MAX_ENDPOINTS } from '../limits/tenant-bounds.ts';
import {
  listWebhookDeliveriesQuery,
  webhookDeliveryListEntry,
  webhookDeliverySchema,
  webhookSchema,
} from '../resources/webhook-records.ts';
import { createEndpointBody, rotateSecretBody, updateEndpointBody } from '../resources/webhooks.ts';
import type { Operation } from './operation.ts';

const PATH = '/api/v1/webhooks';
const DELIVERIES = '/api/v1/webhook-deliveries';
const ofAll = { resource: 'webhooks', scope: 'webhooks:write', owner: 'webhooks' } as const;
const of = { ...ofAll, record: 'Webhook endpoint' } as const;
const ofDelivery = { ...ofAll, record: 'Delivery' } as const;
const single = { ...of, status: 200, answer: dataOf(webhookSchema), hasEtag: true } as const;
/** What is queued is not sent yet. */
const queued = { status: 202, answer: dataOf(webhookDeliveryListEntry) } as const;

export const webhookOperations = {
  listWebhooks: {
    id: 'list-webhooks',
    ...of,
    method: 'GET',
    path: PATH,
    title: 'List webhook endpoints',
    description: `All endpoints of the business, the newest first, not paged: it has at most ${MAX_ENDPOINTS}.`,
    status: 200,
    answer: dataOf(z.array(webhookSchema)),
  },
  createWebhook: {
    ...single,
    id: 'create-webhook',
    method: 'POST',
    path: PATH,
    title: 'Add a webhook endpoint',
    description:
      'The answer has the signing secret: keep it, as no other answer shows it. The same request with the same Idempotency-Key shows it again, as long as the endpoint has not changed. The key needs the scope of each event, and all scopes that it gives to the endpoint.',
    body: createEndpointBody,
    example: {
      url: 'https://hooks.example.com/frontdesk',
      events: ['appointment.created', 'appointment.cancelled'],
      scopes: ['appointments:read'],
    },
    status: 201,
    hasLocation: true,
  },
  getWebhook: {
    ...single,
    id: 'get-webhook',
    method: 'GET',
    path: `${PATH}/{id}`,
    title: 'Get a webhook endpoint',
    description: 'One endpoint, with how it fares.',
  },
  updateWebhook: {
    ...single,
    id: 'update-webhook',
    method: 'PATCH',
    path: `${PATH}/{id}`,
    title: 'Change a webhook endpoint',
    description:
      'Only what you send changes. Pending deliveries go to the new url with the new headers. While is_active is false, pending deliveries wait, and what comes in is not sent. A key changes, uses and deletes only endpoints whose scopes it has.',
    body: updateEndpointBody,
    example: { events: ['appointment.created'] },
    takesIfMatch: true,
  },
  rollWebhookSecret: {
    ...single,
    id: 'roll-webhook-secret',
    method: 'POST',
    path: `${PATH}/{id}/roll-secret`,
    title: 'Replace the signing secret',
    description: `The answer has the new secret, as the one that added the endpoint has the first. For the next ${BOTH_SECRETS_HOURS} hours both sign.`,
    body: rotateSecretBody,
    takesIfMatch: true,
  },
  testWebhook: {
    ...of,
    ...queued,
    id: 'test-webhook',
    method: 'POST',
    path: `${PATH}/{id}/test`,
    title: 'Send a test event',
    description:
      'Queues an endpoint.test for this endpoint alone. Get the delivery that the answer names to see how it went. 422 while the endpoint is paused or disabled.',
  },
  listWebhookDeliveries: {
    ...ofDelivery,
    id: 'list-webhook-deliveries',
    method: 'GET',
    path: DELIVERIES,
    title: 'List deliveries',
    description: `The log of all endpoints, deleted ones too, by when events came in, the newest first. It has deliveries of events that the key’s scopes open, for as long as they are kept: ${EVENT_RETENTION_DAYS} days unless the operator has set it differently.`,
    query: listWebhookDeliveriesQuery,
    example: { status: 'failed' },
    status: 200,
    answer: pageOf(webhookDeliveryListEntry),
  },
  getWebhookDelivery: {
    ...ofDelivery,
    id: 'get-webhook-delivery',
    method: 'GET',
    path: `${DELIVERIES}/{id}`,
    title: 'Get a delivery',
    description: 'One delivery, with what was sent and each answer.',
    status: 200,
    answer: dataOf(webhookDeliverySchema),
  },
  resendWebhookDelivery: {
    ...ofDelivery,
    ...queued,
    id: 'resend-webhook-delivery',
    method: 'POST',
    path: `${DELIVERIES}/{id}/resend`,
    title: 'Send a delivery again',
    description:
      'The same event with the same id, in new attempts. 422 while it is pending, while its endpoint is paused or disabled, and after 100 attempts.',
  },
  deleteWebhook: {
    ...of,
    id: 'delete-webhook',
    method: 'DELETE',
    path: `${PATH}/{id}`,
    title: 'Delete a webhook endpoint',
    description: 'Nothing more is sent to it: pending deliveries are cancelled. Its log stays.',
    status: 200,
    answer: dataOf(removedRecord),
    takesIfMatch: true,
  },
} as const satisfies Record<string, Operation>;
