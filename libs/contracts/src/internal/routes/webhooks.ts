import { dataOf, pageOf, removedRecord } from '../../errors/envelope.ts';
import { pageQuery } from '../../fields/pagination.ts';
import {
  createReplayBody,
  deliveryDetail,
  deliverySchema,
  deliverySummary,
  listDeliveriesQuery,
  missedEvents,
  replaySchema,
} from '../../resources/deliveries.ts';
import { deliveryStatistics } from '../../resources/statistics.ts';
import {
  createdEndpoint,
  createEndpointBody,
  endpointAdminSchema,
  rotatedSecret,
  rotateSecretBody,
  updateEndpointBody,
} from '../../resources/webhooks.ts';
import { deliveryGap } from '../event-gaps.ts';
import { failingEndpoint } from '../system-status.ts';
import { type InternalRoutes, OPERATOR, PAGES, PAGES_AND_OPERATOR, TENANT } from './internal-route.ts';
import { eventRoutes } from './shared.ts';

const ENDPOINTS = `${TENANT}/webhooks` as const;
const REPLAYS = `${ENDPOINTS}/replays` as const;
const DELIVERIES = `${ENDPOINTS}/deliveries` as const;
const endpoints = {
  callers: PAGES_AND_OPERATOR,
  scope: 'webhooks:write',
  record: 'Webhook endpoint',
} as const;
const replays = {
  callers: PAGES_AND_OPERATOR,
  scope: 'webhooks:write',
  record: 'Replay',
  answer: dataOf(replaySchema),
} as const;
const deliveries = { callers: PAGES_AND_OPERATOR, scope: 'webhooks:write', record: 'Delivery' } as const;

export const webhooksRoutes = {
  listEndpoints: {
    ...endpoints,
    method: 'GET',
    path: ENDPOINTS,
    answer: dataOf(endpointAdminSchema.array()),
  },
  /** A repetition shows the secret only as long as the endpoint is what it was. */
  createEndpoint: {
    ...endpoints,
    method: 'POST',
    path: ENDPOINTS,
    body: createEndpointBody,
    status: 201,
    answer: dataOf(createdEndpoint.partial({ secret: true })),
  },
  getEndpoint: {
    ...endpoints,
    method: 'GET',
    path: `${ENDPOINTS}/{id}`,
    answer: dataOf(endpointAdminSchema),
  },
  updateEndpoint: {
    ...endpoints,
    method: 'PATCH',
    path: `${ENDPOINTS}/{id}`,
    body: updateEndpointBody,
    answer: dataOf(endpointAdminSchema),
  },
  deleteEndpoint: {
    ...endpoints,
    method: 'DELETE',
    path: `${ENDPOINTS}/{id}`,
    answer: dataOf(removedRecord),
  },
  rotateSecret: {
    ...endpoints,
    method: 'POST',
    path: `${ENDPOINTS}/{id}/rotate-secret`,
    body: rotateSecretBody,
    answer: dataOf(rotatedSecret.partial({ secret: true })),
  },
  sendTest: {
    ...endpoints,
    method: 'POST',
    path: `${ENDPOINTS}/{id}/test`,
    status: 202,
    answer: dataOf(deliverySchema),
  },
  countMissedEvents: {
    ...endpoints,
    method: 'GET',
    path: `${ENDPOINTS}/{id}/missed`,
    callers: PAGES,
    answer: dataOf(missedEvents),
  },
  listReplays: {
    ...endpoints,
    method: 'GET',
    path: `${ENDPOINTS}/{id}/replays`,
    query: pageQuery,
    answer: pageOf(replaySchema),
  },
  createReplay: {
    ...endpoints,
    method: 'POST',
    path: `${ENDPOINTS}/{id}/replays`,
    body: createReplayBody,
    status: 202,
    answer: dataOf(replaySchema),
  },
  getReplay: { ...replays, method: 'GET', path: `${REPLAYS}/{id}` },
  cancelReplay: { ...replays, method: 'POST', path: `${REPLAYS}/{id}/cancel` },
  listDeliveries: {
    ...deliveries,
    method: 'GET',
    path: DELIVERIES,
    query: listDeliveriesQuery,
    answer: pageOf(deliverySchema),
  },
  listDeliverySummaries: {
    ...deliveries,
    method: 'GET',
    path: `${DELIVERIES}/summaries`,
    callers: PAGES,
    query: listDeliveriesQuery,
    answer: pageOf(deliverySummary),
  },
  getDelivery: {
    ...deliveries,
    method: 'GET',
    path: `${DELIVERIES}/{id}`,
    callers: PAGES,
    answer: dataOf(deliveryDetail),
  },
  resendDelivery: {
    ...deliveries,
    method: 'POST',
    path: `${DELIVERIES}/{id}/resend`,
    status: 202,
    answer: dataOf(deliverySchema),
  },
  sendNow: {
    ...deliveries,
    method: 'POST',
    path: `${DELIVERIES}/{id}/send-now`,
    status: 202,
    answer: dataOf(deliverySchema),
  },
  listDeliveryGaps: {
    scope: 'webhooks:write',
    method: 'GET',
    path: `${ENDPOINTS}/gaps`,
    callers: PAGES,
    answer: dataOf(deliveryGap.array()),
  },
  getDeliveryStatistics: {
    scope: 'webhooks:write',
    method: 'GET',
    path: `${TENANT}/statistics/deliveries`,
    callers: PAGES,
    answer: dataOf(deliveryStatistics),
  },
  listFailingEndpoints: {
    method: 'GET',
    path: '/internal/failing-endpoints',
    callers: OPERATOR,
    query: pageQuery,
    answer: pageOf(failingEndpoint),
  },
  ...eventRoutes,
} as const satisfies InternalRoutes;
