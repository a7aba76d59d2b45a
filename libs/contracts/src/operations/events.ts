import { feedPage, listEventsQuery } from '../events/events-feed.ts';
import { EVENT_RETENTION_DAYS } from '../limits/retention.ts';
import type { Operation } from './operation.ts';

export const eventOperations = {
  listEvents: {
    id: 'list-events',
    resource: 'events',
    scope: 'events:read',
    owner: 'webhooks',
    method: 'GET',
    path: '/api/v1/events',
    title: 'Read the feed of events',
    description: `All events of the business in one order, whether or not a webhook endpoint subscribes to them, for as long as they are kept: ${EVENT_RETENTION_DAYS} days unless the operator has set it differently. A client that goes on from each next_cursor misses no event and gets none twice.`,
    query: listEventsQuery,
    example: { wait: 20 },
    status: 200,
    answer: feedPage,
    errors: ['invalid_cursor', 'cursor_expired'],
    waits: true,
  },
} as const satisfies Record<string, Operation>;
