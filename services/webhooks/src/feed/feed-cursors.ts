import { oldFeedCursor } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import type { CursorOf, FeedInLog, FeedPosition } from './feed.rules.ts';
import type { SettledFeed } from './settle-feed.ts';

/** The cursors of a tenant's feed: each is a place in what all tenants' events share, so nobody else may read or make one. */
export interface FeedCursors {
  cursorOf: CursorOf;
  /** Null where the text is no cursor of this feed. */
  positionAt(text: string): FeedPosition | null;
}

export function feedCursors(database: Pick<Database, 'cursors'>, tenantId: number): FeedCursors {
  const cursors = database.cursors();
  const context = JSON.stringify(['feed', tenantId]);
  return {
    cursorOf: ({ day, number }) => cursors.seal(context, [day, number]),
    positionAt(text) {
      // For one release: see `oldFeedCursor`.
      const place = cursors.open(context, text) ?? oldFeedCursor(text);
      return place && { day: place[0], number: place[1] };
    },
  };
}

/** What the delivery log shows of a tenant's feed by now. */
export async function feedInLog(
  { database, settled }: { database: Pick<Database, 'cursors'>; settled: Pick<SettledFeed, 'number'> },
  tenantId: number,
): Promise<FeedInLog> {
  const { cursorOf } = feedCursors(database, tenantId);
  return { settled: await settled.number(), cursorOf };
}
