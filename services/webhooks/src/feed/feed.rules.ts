import type { FeedEvent } from '@frontdesk/contracts';
import { withoutTranscripts } from '../events/payload.rules.ts';
import { IDS_A_DAY } from '../queue/delivery-id.rules.ts';

/** Bodies of one answer together; a single event may be longer. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Events that a request for some types looks through at most. */
export const MAX_LOOKED_AT = 5_000;

/**
 * A place in the order in which events came in: behind the event of this number. `day` (since 1970-01-01 UTC) is when that was,
 * and tells whether what follows is still kept.
 */
export interface FeedPosition {
  day: number;
  number: number;
}

/** A tenant's cursor for a place. */
export type CursorOf = (position: FeedPosition) => string;

/** A stored event, and its number in the order in which events came in. */
export interface FeedRow {
  id: number;
  body: string;
}

export interface FeedPage {
  rows: FeedRow[];
  /** The id behind which there are others to look at; null where all have been looked at. */
  goesOnBehind: number | null;
}

/** Ids above `from`, up to `to`, that belong to one lap of the numbers: an id holds only its number's last ten digits. */
export interface IdRange {
  lap: number;
  from: number;
  to: number;
}

const lapOf = (number: number) => Math.floor(number / IDS_A_DAY);

/**
 * The ids of what came in behind one place and up to another. An id begins with its day by the database's clock, which may have been set
 * back since, and whatever came in about midnight may have either day: so the neighbouring days are looked at, too.
 */
export function idsBetween(after: FeedPosition, upTo: FeedPosition): IdRange[] {
  const [firstLap, lastLap] = [lapOf(after.number), lapOf(upTo.number)];
  const ranges: IdRange[] = [];
  for (let lap = firstLap; lap <= lastLap; lap += 1) {
    const from = lap === firstLap ? after.number % IDS_A_DAY : -1;
    const to = lap === lastLap ? upTo.number % IDS_A_DAY : IDS_A_DAY - 1;
    for (let day = after.day - 1; day <= upTo.day + 1; day += 1)
      ranges.push({ lap, from: day * IDS_A_DAY + from, to: day * IDS_A_DAY + to });
  }
  return ranges;
}

/** Behind the event of this id, whose number is at most `lastNumber`. */
export function positionOf(id: number, lastNumber: number): FeedPosition {
  const digits = id % IDS_A_DAY;
  const isOfLapBefore = digits > lastNumber % IDS_A_DAY;
  return {
    day: Math.floor(id / IDS_A_DAY),
    number: (lapOf(lastNumber) - (isOfLapBefore ? 1 : 0)) * IDS_A_DAY + digits,
  };
}

/** No event that has come in until now can be there; the database's clock may have been set back by a day. */
export const isInFuture = ({ day, number }: FeedPosition, last: FeedPosition): boolean =>
  number > last.number || day > last.day + 1;

export const feedRecord = (
  { id, body }: FeedRow,
  {
    lastNumber,
    cursorOf,
    seesTranscripts,
  }: { lastNumber: number; cursorOf: CursorOf; seesTranscripts: boolean },
): FeedEvent => {
  const event = JSON.parse(body) as Omit<FeedEvent, 'cursor'>;
  return {
    ...(seesTranscripts ? event : withoutTranscripts(event)),
    cursor: cursorOf(positionOf(id, lastNumber)),
  };
};

/** What the log shows of the feed: the number up to which that has settled, and the tenant's cursors. */
export interface FeedInLog {
  settled: number;
  cursorOf: CursorOf;
}
