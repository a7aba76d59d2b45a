import { CANONICAL_EVENTS, operations } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, clientGone, hasScope, route } from '@frontdesk/service';
import { feedNamesFor } from '../events/event-scopes.ts';
import { feedCursors } from './feed-cursors.ts';
import { type FeedDeps, readFeed } from './read-feed.ts';

/** The feed of events, for integrators. */
export function feedRoutes(app: App, deps: FeedDeps & { database: Database }): void {
  const { database } = deps;
  route(app, operations.listEvents, async ({ identity, tenantId, query }, reply) => {
    const cursors = feedCursors(database, tenantId);
    const reader = {
      keyId: identity.keyId ?? 0,
      query,
      names: feedNamesFor(identity, { asked: query.types, all: CANONICAL_EVENTS }),
      seesTranscripts: hasScope(identity, 'calls:transcripts'),
      cursors,
      gone: clientGone(reply),
    };
    const { events, next, hasMore } = await readFeed(database.forTenant(tenantId), reader, deps);
    const meta = { next_cursor: cursors.cursorOf(next), has_more: hasMore };
    return { success: true as const, data: events, meta };
  });
}
