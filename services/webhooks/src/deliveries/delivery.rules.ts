import {
  CANONICAL_EVENTS,
  type Delivery,
  type DeliveryDetail,
  type DeliverySummary,
} from '@frontdesk/contracts';
import { bodyAs, isOfCall } from '../events/payload.rules.ts';
import { type FeedInLog, positionOf } from '../feed/feed.rules.ts';

export interface DeliverySummaryRow {
  id: number;
  endpoint_id: number;
  /** Of the event, as the endpoint is subscribed to it. */
  name: string;
  status: Delivery['status'];
  http_status: number | null;
  duration_ms: number | null;
  attempt_count: number;
  next_attempt_at: Date | null;
  delivered_at: Date | null;
  created_at: Date;
  /** The id of its event, and the last number that any event has. */
  event_row: number;
  last_number: number;
}

export interface DeliveryRow extends DeliverySummaryRow {
  /** Of its event, as it is stored. */
  body: string;
  /** Whether its endpoint may know what was said in calls; null of one that is gone. */
  shows_transcripts: boolean | null;
  response_body: string | null;
}

export interface DeliveryDetailRow extends DeliveryRow {
  /** JSON of each. */
  attempts: string[];
}

/** The feed shows events under their own names alone. */
const isInFeed = (name: string) => CANONICAL_EVENTS.some((event) => event === name);

/** Null until the feed has settled up to the event: a reader who began behind it might miss what came in before it. */
function feedCursor(
  { name, event_row, last_number }: DeliverySummaryRow,
  { settled, cursorOf }: FeedInLog,
): string | null {
  const position = positionOf(event_row, last_number);
  return isInFeed(name) && position.number <= settled ? cursorOf(position) : null;
}

/** A delivery without payload and answer. */
export const deliverySummaryRecord = (row: DeliverySummaryRow, feed: FeedInLog): DeliverySummary => ({
  id: row.id,
  endpoint_id: row.endpoint_id,
  event: row.name,
  status: row.status,
  http_status: row.http_status,
  duration_ms: row.duration_ms,
  attempt_count: row.attempt_count,
  next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  delivered_at: row.delivered_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  feed_cursor: feedCursor(row, feed),
});

/** How a reader sees the log. */
export interface LogView {
  feed: FeedInLog;
  /** Whether they may know what was said in calls. */
  seesTranscripts: boolean;
}

/** The receiver was told what was said in the call, and its answer may repeat it. */
const mayRepeatTranscript = ({ name, shows_transcripts }: DeliveryRow) =>
  isOfCall(name) && shows_transcripts !== false;

/** A delivery without its attempts: as it is sent, or less where its reader may know less. */
export const deliveryRecord = (row: DeliveryRow, { feed, seesTranscripts }: LogView): Delivery => {
  const sent = bodyAs(
    { name: row.name, shows_transcripts: seesTranscripts && row.shows_transcripts === true },
    row.body,
  );
  return {
    ...deliverySummaryRecord(row, feed),
    payload: JSON.parse(sent) as Delivery['payload'],
    response_body: !seesTranscripts && mayRepeatTranscript(row) ? null : row.response_body,
  };
};

/** Its attempts are numbered through, also where it was sent again. */
export const deliveryDetailRecord = (row: DeliveryDetailRow, view: LogView): DeliveryDetail => ({
  ...deliveryRecord(row, view),
  attempts: row.attempts.map((text, index) => ({
    ...JSON.parse(text),
    attempt: index + 1,
    ...(!view.seesTranscripts && mayRepeatTranscript(row) && { response_body: null, response_headers: null }),
  })),
});
