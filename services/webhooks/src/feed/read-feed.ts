import {
  CANONICAL_EVENTS,
  type CanonicalWebhookEvent,
  type FeedEvent,
  LATEST,
  type ListEventsQuery,
} from '@frontdesk/contracts';
import type { TenantReads } from '@frontdesk/database';
import { AppError, invalidCursor } from '@frontdesk/service';
import { findFeedPage, findFirstEvent } from './feed.repository.ts';
import { type FeedPosition, feedRecord, isInFuture, positionOf } from './feed.rules.ts';
import type { FeedCursors } from './feed-cursors.ts';
import type { FeedWait } from './feed-waits.queue.ts';
import type { SettledFeed } from './settle-feed.ts';

export interface FeedDeps {
  settled: SettledFeed;
  /** @returns whether something may have come in; false where the wait has ended otherwise */
  waitForNews: (wait: FeedWait, signal: AbortSignal) => Promise<boolean>;
  /** A number for a request, higher than those of earlier ones. */
  nextRequestNumber: () => number;
  retentionDays: number;
}

interface FeedReader {
  keyId: number;
  query: ListEventsQuery;
  /** Null: all. */
  names: readonly CanonicalWebhookEvent[] | null;
  /** Whether they may know what was said in calls. */
  seesTranscripts: boolean;
  cursors: FeedCursors;
  /** Aborts when the client has gone. */
  gone: AbortSignal;
}

interface Feed {
  events: FeedEvent[];
  next: FeedPosition;
  hasMore: boolean;
}

/**
 * The tenant's events behind a cursor, in one order that no later commit changes. Where there is none yet, the request waits as long as
 * it asks for; meanwhile it holds no connection.
 *
 * @throws AppError `cursor_expired` where events behind the cursor may have been dropped, `invalid_cursor` where it is none of this feed
 */
export async function readFeed(
  db: TenantReads,
  { keyId, query, names, seesTranscripts, cursors, gone }: FeedReader,
  { settled, waitForNews, nextRequestNumber, retentionDays }: FeedDeps,
): Promise<Feed> {
  const { limit, wait } = query;
  const reader = `${keyId} ${(names ?? CANONICAL_EVENTS).toSorted().join()}`;
  const waiting = { tenantId: db.tenantId, requestNumber: nextRequestNumber(), reader };
  const ended = AbortSignal.any([gone, AbortSignal.timeout(wait * 1_000)]);
  let upTo = await settled.position();
  let after = await startOf(db, query.after, { upTo, settled, retentionDays, cursors });
  for (;;) {
    const { rows, goesOnBehind } = await findFeedPage(db, { after, upTo }, { names, limit });
    const hasMore = goesOnBehind !== null;
    const next = hasMore ? positionOf(goesOnBehind, upTo.number) : laterOf(after, upTo);
    // Without an event, too, where a request may look no further: the next one goes on.
    if (rows.length > 0 || hasMore)
      return {
        events: rows.map((row) =>
          feedRecord(row, { lastNumber: upTo.number, cursorOf: cursors.cursorOf, seesTranscripts }),
        ),
        next,
        hasMore,
      };
    const mayHaveNews = wait > 0 && (await waitForNews({ ...waiting, after: next }, ended));
    if (!mayHaveNews) return { events: [], next, hasMore: false };
    after = next;
    upTo = await settled.position();
  }
}

const OTHER_CURSOR = `The after field must be a cursor of this feed, or ${LATEST}. This one was made for another list or business, or is damaged.`;

/** A cursor never goes back: another process may have served further than what has settled for this one. */
const laterOf = (one: FeedPosition, other: FeedPosition) => (one.number > other.number ? one : other);

interface Places extends Pick<FeedDeps, 'settled' | 'retentionDays'> {
  upTo: FeedPosition;
  cursors: FeedCursors;
}

async function startOf(
  db: TenantReads,
  after: ListEventsQuery['after'],
  { upTo, settled, retentionDays, cursors }: Places,
): Promise<FeedPosition> {
  if (after === LATEST) return upTo;
  const firstDay = upTo.day - retentionDays;
  if (after === undefined) return oldestOf(db, firstDay, { upTo, settled });

  const position = cursors.positionAt(after);
  // As after a backup was restored: its reader would be told of nothing new, for a long time.
  if (position === null || (await isBeyond(position, upTo, settled)))
    throw invalidCursor('after', OTHER_CURSOR);
  if (position.day >= firstDay) return position;
  const oldest = await oldestOf(db, firstDay, { upTo, settled });
  throw new AppError('cursor_expired', 'The events after this cursor are no longer kept.', {
    data: { oldest_cursor: cursors.cursorOf(oldest) },
  });
}

/** Where the feed begins: before the first event that is kept, where that one has settled. */
async function oldestOf(
  db: TenantReads,
  firstDay: number,
  { upTo, settled }: { upTo: FeedPosition; settled: SettledFeed },
): Promise<FeedPosition> {
  const first = await findFirstEvent(db, firstDay);
  if (first === null) return upTo;
  const { day, number } = positionOf(first, await settled.lastNumber());
  // It may have come in only now, and be served later.
  return number > upTo.number ? upTo : { day, number: number - 1 };
}

/** Another process may have served further than what has settled for this one, but nobody further than the last event. */
const isBeyond = async (position: FeedPosition, upTo: FeedPosition, settled: SettledFeed): Promise<boolean> =>
  isInFuture(position, upTo) && isInFuture(position, { day: upTo.day, number: await settled.lastNumber() });
