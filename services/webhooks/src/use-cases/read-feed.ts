import {
  CANONICAL_EVENTS,
  CURSOR_MESSAGE,
  encodeFeedPosition,
  type FeedEvent,
  type FeedPosition,
  LATEST,
  type ListEventsQuery,
} from '@frontdesk/contracts';
import type { TenantReads } from '@frontdesk/database';
import { AppError, invalid } from '@frontdesk/service';
import { findFeedPage, findFirstEvent } from '../data/feed.repository.ts';
import { feedRecord, positionOf } from '../domain/feed.ts';
import type { FeedWait } from '../state/feed-waits.ts';
import type { SettledFeed } from './settle-feed.ts';

export interface FeedDeps {
  settled: SettledFeed;
  /** @returns whether something may have come in; false where the wait has ended otherwise */
  waitForNews: (keyId: number, wait: FeedWait, signal: AbortSignal) => Promise<boolean>;
  retentionDays: number;
}

interface FeedReader {
  keyId: number;
  query: ListEventsQuery;
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
 * @throws AppError `cursor_expired` where events behind the cursor may have been dropped, `validation_failed` where it is none of this feed
 */
export async function readFeed(
  db: TenantReads,
  { keyId, query, gone }: FeedReader,
  { settled, waitForNews, retentionDays }: FeedDeps,
): Promise<Feed> {
  const { types: names = CANONICAL_EVENTS, limit, wait } = query;
  const ended = AbortSignal.any([gone, AbortSignal.timeout(wait * 1_000)]);
  let upTo = await settled.position();
  let after = await startOf(db, query.after, upTo, retentionDays);
  // As after a backup was restored: its reader would be told of nothing new, for a long time.
  if (after.number > upTo.number && !(await settled.reaches(after.number)))
    throw invalid({ after: [CURSOR_MESSAGE.replace('{field}', 'after')] });
  for (;;) {
    const { rows, hasMore } = await findFeedPage(db, { after, upTo }, { names, limit });
    const last = rows.at(-1);
    // Behind the last event there may be others that this answer has no room for; without one, everything so far has been looked at.
    const next = last && hasMore ? positionOf(last.id, upTo.number) : furtherOf(after, upTo);
    if (last) return { events: rows.map((row) => feedRecord(row, upTo.number)), next, hasMore };
    const mayHaveNews = wait > 0 && (await waitForNews(keyId, { tenantId: db.tenantId, after: next }, ended));
    if (!mayHaveNews) return { events: [], next, hasMore: false };
    after = next;
    upTo = await settled.position();
  }
}

async function startOf(
  db: TenantReads,
  after: ListEventsQuery['after'],
  upTo: FeedPosition,
  retentionDays: number,
): Promise<FeedPosition> {
  if (after === LATEST) return upTo;
  const firstDay = upTo.day - retentionDays;
  if (after !== undefined && after.day >= firstDay) return after;

  const first = await findFirstEvent(db, firstDay);
  const oldest = first === null ? upTo : justBefore(positionOf(first, upTo.number));
  if (after === undefined) return oldest;
  throw new AppError('cursor_expired', 'The events after this cursor are no longer kept.', {
    data: { oldest_cursor: encodeFeedPosition(oldest) },
  });
}

/** Another process may have seen more settle. */
const furtherOf = (a: FeedPosition, b: FeedPosition) => (a.number > b.number ? a : b);

const justBefore = ({ day, number }: FeedPosition): FeedPosition => ({ day, number: number - 1 });
