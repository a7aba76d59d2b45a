import { dataOf, pageOf } from '../../errors/envelope.ts';
import { pageQuery } from '../../fields/pagination.ts';
import { quotaUsageSchema, quotaUse } from '../../limits/quotas.ts';
import { eventGap } from '../event-gaps.ts';
import {
  operatorChange,
  operatorChangesQuery,
  storedChanges,
  storedChangesBody,
} from '../operator-changes.ts';
import { storedBytesPage, storedBytesQuery } from '../stored-bytes.ts';
import {
  discardedStuckEvent,
  retriedStuckEvent,
  retriedStuckEvents,
  retryStuckEventsQuery,
  stuckEvent,
  stuckEventId,
  stuckEventWithBody,
} from '../stuck-events.ts';
import { type InternalRoutes, OPERATOR, PAGES, PAGES_AND_OPERATOR, TENANT } from './internal-route.ts';

const STUCK_EVENTS = '/internal/stuck-events';
const stuckEvents = { callers: OPERATOR, params: stuckEventId, record: 'Stuck event' } as const;

/** What a service decides quotas of. */
export const quotaRoutes = {
  getQuotaUsage: {
    scope: null,
    method: 'GET',
    path: `${TENANT}/quota-usage`,
    callers: PAGES_AND_OPERATOR,
    answer: dataOf(quotaUsageSchema),
  },
  listQuotaUses: {
    method: 'GET',
    path: '/internal/quota-uses',
    callers: OPERATOR,
    answer: dataOf(quotaUse.array()),
  },
} as const satisfies InternalRoutes;

/**
 * What every service with a database of tenants has: for operators, and for settings-ui, which collects their changes
 * for the audit logs.
 */
export const operatedRoutes = {
  listOperatorChanges: {
    method: 'GET',
    path: '/internal/operator-changes',
    callers: PAGES,
    query: operatorChangesQuery,
    answer: dataOf(operatorChange.array()),
  },
  removeOperatorChanges: {
    method: 'POST',
    path: '/internal/operator-changes/stored',
    callers: PAGES,
    body: storedChangesBody,
    answer: dataOf(storedChanges),
  },
  listStuckEvents: {
    method: 'GET',
    path: STUCK_EVENTS,
    callers: OPERATOR,
    query: pageQuery,
    answer: pageOf(stuckEvent),
  },
  getStuckEvent: {
    ...stuckEvents,
    method: 'GET',
    path: `${STUCK_EVENTS}/{id}`,
    answer: dataOf(stuckEventWithBody),
  },
  retryStuckEvents: {
    method: 'POST',
    path: `${STUCK_EVENTS}/retry`,
    callers: OPERATOR,
    query: retryStuckEventsQuery,
    answer: dataOf(retriedStuckEvents),
  },
  retryStuckEvent: {
    ...stuckEvents,
    method: 'POST',
    path: `${STUCK_EVENTS}/{id}/retry`,
    answer: dataOf(retriedStuckEvent),
  },
  discardStuckEvent: {
    ...stuckEvents,
    method: 'DELETE',
    path: `${STUCK_EVENTS}/{id}`,
    answer: dataOf(discardedStuckEvent),
  },
} as const satisfies InternalRoutes;

/** Also for those that take events in; the gateway, which does not, adds up what they all store. */
export const eventRoutes = {
  ...operatedRoutes,
  listEventGaps: {
    method: 'GET',
    path: '/internal/event-gaps',
    callers: OPERATOR,
    query: pageQuery,
    answer: pageOf(eventGap),
  },
  listStoredBytes: {
    method: 'GET',
    path: '/internal/stored-bytes',
    callers: ['gateway'],
    query: storedBytesQuery,
    answer: dataOf(storedBytesPage),
  },
} as const satisfies InternalRoutes;
