import type { Payload } from './event-names.ts';
import type { Fault, Outcome } from './post.ts';
import { plain, type Terminal } from './terminal.ts';

/** An event that `listen` has taken, with the receiver's answer. */
export interface Delivery {
  at: Date;
  payload: Payload;
  /** The position in the feed behind this event; null for an example. */
  cursor: string | null;
  /** Null where events are only shown. */
  outcome: Outcome | null;
}

interface Start {
  url: string;
  forward: string | null;
  /** A secret that `listen` has made up. A given one is not shown. */
  newSecret: string | null;
  cursor: string | null;
}

/** Tells people or programs what happens. */
export interface Report {
  started(start: Start): void;
  delivery(delivery: Delivery): void;
  /** A line about the work, such as a lost connection. */
  note(text: string): void;
  ended(cursor: string): void;
}

/** A delivery as programs read it. */
export interface DeliveryRecord {
  type: 'event';
  at: string;
  event: string;
  id: string;
  sequence: number;
  test: boolean;
  cursor: string | null;
  /** Null where events are only shown, as is every field below. */
  status: number | null;
  fault: Fault | null;
  detail: string | null;
  duration_ms: number | null;
  answer: string | null;
}

export function deliveryRecord({ at, payload, cursor, outcome }: Delivery): DeliveryRecord {
  const { id, event, sequence, test = false } = payload;
  const { status = null, fault = null, detail = null, durationMs = null, answer = null } = outcome ?? {};
  return {
    type: 'event',
    at: at.toISOString(),
    event,
    id,
    sequence,
    test,
    cursor,
    status,
    fault,
    detail,
    duration_ms: durationMs,
    answer,
  };
}

/** One line of JSON for each thing that happens. */
export function jsonReport({ out }: Pick<Terminal, 'out'>): Report {
  const line = (record: object) => out(JSON.stringify(record));
  return {
    started: ({ url, forward, newSecret, cursor }) =>
      line({ type: 'started', url, forward, ...(newSecret && { secret: newSecret }), cursor }),
    delivery: (delivery) => line(deliveryRecord(delivery)),
    note: (text) => line({ type: 'note', text }),
    ended: (cursor) => line({ type: 'ended', cursor }),
  };
}

const RED = '\u001b[31m';
const GREEN = '\u001b[32m';
const PLAIN = '\u001b[39m';
const EVENT_WIDTH = 'appointment.cancelled'.length;
const SHOWN_ANSWER = 100;

/** Lines for people: events to the output, all else to the error output. */
export function textReport({ out, err, hasColours }: Terminal): Report {
  return {
    started({ url, forward, newSecret, cursor }) {
      err(`Listening to ${url}, from ${plain(cursor ?? 'the oldest event')} on. Ctrl-C ends it.`);
      err(forward ? `Forwarding to ${forward}` : 'Forwarding to nobody: --forward <url> names a receiver.');
      if (newSecret) err(`Signing secret: FRONTDESK_WEBHOOK_SECRET=${newSecret}`);
    },
    delivery: (delivery) => out(deliveryLine(deliveryRecord(delivery), hasColours)),
    note: (text) => err(plain(text)),
    ended: (cursor) => err(`To go on from here: --from ${plain(cursor)}`),
  };
}

/** Time, event, id, answer and duration; a mark of a test; the beginning of a failed answer. */
export function deliveryLine(record: DeliveryRecord, hasColours: boolean): string {
  const { at, event, id, test, status, fault, detail, duration_ms: durationMs, answer } = record;
  const time = new Date(at).toTimeString().slice(0, 'hh:mm:ss'.length);
  const fields = [time, plain(event).padEnd(EVENT_WIDTH), plain(id)];
  if (durationMs !== null) {
    const coloured = (text: string) => (hasColours ? `${fault ? RED : GREEN}${text}${PLAIN}` : text);
    fields.push(coloured(plain(fault ? failureText({ status, fault, detail }) : String(status))));
    fields.push(`${durationMs} ms`);
  }
  if (test) fields.push('test');
  if (fault && answer) fields.push(plain(answer.slice(0, SHOWN_ANSWER)));
  return fields.join('  ');
}

function failureText({ status, fault, detail }: Pick<DeliveryRecord, 'status' | 'fault' | 'detail'>): string {
  const reason = fault === 'http_status' ? null : fault;
  return ['FAILED', status, reason, detail].filter((part) => part !== null).join(' ');
}
