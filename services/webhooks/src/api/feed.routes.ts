import { feedPage, listEventsQuery } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, clientGone } from '@frontdesk/service';
import { feedCursors } from '../use-cases/feed-cursors.ts';
import { type FeedDeps, readFeed } from '../use-cases/read-feed.ts';

/** The feed of events, for integrators. */
export function feedRoutes(app: App, deps: FeedDeps & { database: Database }): void {
  const { database } = deps;
  app.get(
    '/api/v1/events',
    { schema: { querystring: listEventsQuery, response: { 200: feedPage } } },
    async ({ identity, tenantId, query }, reply) => {
      const cursors = feedCursors(database, tenantId);
      const reader = { keyId: identity.keyId ?? 0, query, cursors, gone: clientGone(reply) };
      const { events, next, hasMore } = await readFeed(database.forTenant(tenantId), reader, deps);
      const meta = { next_cursor: cursors.cursorOf(next), has_more: hasMore };
      return { success: true as const, data: events, meta };
    },
  );
}
