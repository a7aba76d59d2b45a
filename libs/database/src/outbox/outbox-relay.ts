import { setTimeout as delay } from 'node:timers/promises';
import {
  type Component,
  type EventPublisher,
  isTracing,
  type Logger,
  loop,
  type Metrics,
  noteFailure,
  RefusedRecordError,
  readTogether,
  startSpan,
  traceparentOfSpan,
} from '@frontdesk/service';
import { Counter } from 'prom-client';
import type { Database } from '../database.ts';
import type { SystemScope } from '../scope/scopes.ts';
import { systemSql } from '../scope/statements.ts';
import { markPublished, type OutboxRow, readBatch } from './outbox-batch.ts';
import { openRelayConnection, type RelayConnection } from './relay-connection.ts';

const INTERVAL_MS = 1_000;
/** A mark waits this long at most for a question to go with. */
const MARKED_WITHIN_MS = 100;
/** Kafka is back sooner than people notice, and what waits should leave then. */
const MAX_BACKOFF_MS = 2_000;
/** After this many failures in a row another process gets its turn: the fault may be this one's alone. */
const FAILURES_UNTIL_HANDOVER = 5;
const STAND_ASIDE_MS = 3_000;
/** A stop waits no longer for a database that hangs. */
const LAST_MARK_TIMEOUT_MS = 1_000;

const PARK = {
  name: 'outbox_park',
  text: 'update outbox set parked_at = now(), parked_reason = $2 where id = $1',
};

/**
 * Publishes what transactions left in the outbox: in order, one batch in flight, marked only after the broker's
 * acknowledgement, so an event is published at least once. The mark goes with the next question for what waits. One relay per
 * database is active, by an advisory lock; the others stand by. A record that the broker refuses for good is parked and
 * alarmed, and the rest goes on.
 */
export function createOutboxRelay(options: {
  database: Database;
  publisher: EventPublisher;
  logger: Logger;
  metrics: Metrics;
  /** Pause after a batch. Events that are written meanwhile share one request to the broker, which costs the same for one as for many. */
  lingerMs?: number;
  lastMarkTimeoutMs?: number;
}): Component {
  const { database, publisher, logger, metrics } = options;
  const { lingerMs = 0, lastMarkTimeoutMs = LAST_MARK_TIMEOUT_MS } = options;
  const parked = new Counter({
    name: 'outbox_parked_total',
    help: 'Events that the broker refused for good.',
    registers: [metrics.registry],
  });
  watchOutbox({ system: database.system, metrics, isActive: () => connection?.hasLock() ?? false });
  metrics.watchConnection('postgresql', 'relay', () => connection !== undefined);
  let connection: RelayConnection | undefined;
  let markTimer: NodeJS.Timeout | undefined;
  let hasNews = false;
  let failures = 0;
  let asideUntilMs = 0;

  const connect = async () => {
    const opened = await openRelayConnection({ database, onWake: () => worker.wake() });
    // Also when it is lost by now: the listener is called all the same, and the next turn opens another.
    void opened.lost.then(() => {
      if (connection === opened) connection = undefined;
    });
    return opened;
  };

  /** Closing the connection gives up the lock. */
  const letGo = async (current: RelayConnection) => {
    if (connection === current) connection = undefined;
    await current.close().catch(() => {});
  };

  const turn = async (current: RelayConnection): Promise<boolean> => {
    if (await current.isActive()) return publishBatch(current);
    // Only what this process wrote is passed on: answering a notification with another would never end.
    if (hasNews) {
      hasNews = false;
      await current.notify();
    }
    return false;
  };

  const worker = loop({
    name: 'outbox relay',
    intervalMs: INTERVAL_MS,
    maxBackoffMs: MAX_BACKOFF_MS,
    logger,
    async run() {
      if (Date.now() < asideUntilMs) return false;
      connection ??= await connect();
      const current = connection;
      try {
        const hasMore = await turn(current);
        failures = 0;
        return hasMore;
      } catch (error) {
        if (!(error instanceof PublishFailure)) {
          // A connection in doubt may hold a lock that the server has already given away: start over with a new one.
          await letGo(current);
          throw error;
        }
        failures += 1;
        if (failures % FAILURES_UNTIL_HANDOVER === 0) {
          await letGo(current);
          asideUntilMs = Date.now() + STAND_ASIDE_MS;
        }
        throw error.cause;
      }
    },
  });

  const publishBatch = async (current: RelayConnection): Promise<boolean> => {
    const { client, published } = current;
    clearTimeout(markTimer);
    const { batch, hasMore } = await readBatch(client, published);
    current.published = [];
    if (batch.length === 0) return false;
    const spans = startSends(batch);
    try {
      await publisher.publish(
        batch.map((row) => ({
          topic: row.topic,
          key: `${row.tenant_id}:${row.aggregate_id}`,
          value: row.envelope,
          traceparent: spans?.traceparentOf(row),
        })),
      );
      spans?.end();
    } catch (error) {
      spans?.end(error);
      const refused = error instanceof RefusedRecordError ? batch[error.index] : undefined;
      if (!refused) throw new PublishFailure(error);
      logger.fatal(
        { err: error, outbox_id: refused.id, topic: refused.topic },
        'event parked: the broker refuses it',
      );
      parked.inc();
      await client.query({ ...PARK, values: [refused.id, String((error as Error).cause)] });
      return true;
    }
    current.published = batch.map((row) => row.id);
    markTimer = setTimeout(() => worker.wake(), MARKED_WITHIN_MS);
    if (!hasMore && lingerMs > 0) await delay(lingerMs);
    return hasMore;
  };

  database.onEmitted(() => {
    hasNews = true;
    worker.wake();
  });
  return {
    name: 'outbox relay',
    start: worker.start,
    async stop() {
      await worker.stop();
      clearTimeout(markTimer);
      // What stays unmarked is published once more, as it always may be.
      if (connection)
        await markPublished(connection.client, connection.published, lastMarkTimeoutMs).catch(() => {});
      await connection?.close();
    },
  };
}

/** The broker's fault, not the connection's. */
class PublishFailure extends Error {
  constructor(cause: unknown) {
    super('publishing failed', { cause });
  }
}

/** Counting ends here: a larger number would tell an operator nothing more. */
const COUNTED = 10_000;

const look = systemSql<{ waiting: number; oldest_seconds: number; parked: number }>(
  'outbox_look',
  `select
     (select count(*) from (
       select from outbox where published_at is null and parked_at is null limit ${COUNTED}
     ) counted) as waiting,
     coalesce((
       select greatest(extract(epoch from now() - created_at), 0)::float8 from outbox
       where published_at is null and parked_at is null order by id limit 1
     ), 0) as oldest_seconds,
     (select count(*) from outbox where parked_at is not null) as parked`,
);

/** What waits in the outbox, for the relay or for an operator. One statement answers a scrape. */
function watchOutbox(options: {
  system: SystemScope;
  metrics: Metrics;
  /** Whether this process's relay is the one that publishes. */
  isActive: () => boolean;
}): void {
  const { system, metrics, isActive } = options;
  const outbox = readTogether(() => system.one(look));
  const waiting = `Events in the outbox that are not published yet, counted up to ${COUNTED}.`;
  metrics.watch({ name: 'outbox_waiting', help: waiting }, async () => (await outbox()).waiting);
  const oldest = 'How long the oldest event in the outbox has waited to be published; 0 where none waits.';
  metrics.watch(
    { name: 'outbox_oldest_waiting_seconds', help: oldest },
    async () => (await outbox()).oldest_seconds,
  );
  const parked = 'Parked events that wait for an operator.';
  metrics.watch({ name: 'outbox_parked_waiting', help: parked }, async () => (await outbox()).parked);
  const active = 'Whether this process’s relay is the one that publishes.';
  metrics.watch({ name: 'outbox_relay_active', help: active }, () => Number(isActive()));
}

/** Begins the spans of a batch that is published: one for each traced event, in its trace, and one for the batch, linked to them. */
function startSends(batch: readonly OutboxRow[]) {
  if (!isTracing()) return null;
  const traced = batch.flatMap((row) => (row.traceparent === null ? [] : [{ row, parent: row.traceparent }]));
  if (traced.length === 0) return null;
  const ofBatch = startSpan('publish batch', {
    parent: null,
    links: traced.map(({ parent }) => parent),
    attributes: { 'messaging.system': 'kafka', 'messaging.batch.message_count': batch.length },
  });
  const links = ofBatch ? [traceparentOfSpan(ofBatch)] : [];
  const sends = new Map(
    traced.flatMap(({ row, parent }) => {
      const span = startSpan(`publish ${row.topic}`, {
        kind: 'producer',
        parent,
        links,
        attributes: {
          'messaging.system': 'kafka',
          'messaging.destination.name': row.topic,
          'messaging.operation.type': 'send',
          'frontdesk.tenant.id': row.tenant_id,
        },
      });
      return span ? [[row, span]] : [];
    }),
  );
  return {
    traceparentOf(row: OutboxRow) {
      const span = sends.get(row);
      return span && traceparentOfSpan(span);
    },
    end(error?: unknown) {
      for (const span of [...sends.values(), ...(ofBatch ? [ofBatch] : [])]) {
        if (error !== undefined) noteFailure(span, error);
        span.end();
      }
    },
  };
}
