import type { ConsumerProgress, EventGap, Logger } from '@frontdesk/service';
import type { Batch } from 'kafkajs';
import type { KafkaClient } from './kafka-client.ts';
import type { ConsumerMetrics } from './metrics.ts';
import { missedBefore, reachedOffset } from './missed-before.ts';
import { type Assignment, groupOffsets, type Place, partitionBounds } from './partition-offsets.ts';
import { occurredAt } from './read-message.ts';

/** How far a partition is applied. */
interface Reached {
  /** Of the next event to apply; null: unknown. */
  offset: bigint | null;
  /** When what was applied last occurred. */
  occurredAt: Date | null;
  /** Known to have missed events; until when, the first that is left will tell. */
  hasMissed: boolean;
}

/** From where it was asked for; kafkajs's types leave it out. */
const fetchedOffsetOf = (batch: Batch) => BigInt((batch as Batch & { fetchedOffset: string }).fetchedOffset);

const keyOf = ({ topic, partition }: Place) => `${topic}/${partition}`;

/**
 * Finds the gaps in what a member is assigned and in what it fetches: events that Kafka deleted before they were applied. kafkajs
 * goes on at the oldest that is left and says nothing. Each is made good for and recorded before anything behind it is applied.
 * @param options.close makes good for what was missed, durably; without it a gap is only recorded
 */
export function createGapWatch(options: {
  kafka: KafkaClient;
  group: string;
  close: (() => Promise<void>) | undefined;
  progress: ConsumerProgress;
  metrics: ConsumerMetrics;
  logger: Logger;
}) {
  const { kafka, group, close, progress, metrics, logger } = options;
  let places = new Map<string, Reached>();

  const record = async (
    { topic, partition }: Place,
    reached: Reached,
    { toOffset, until }: Pick<EventGap, 'until'> & { toOffset: bigint },
  ) => {
    await close?.();
    const gap: EventGap = {
      ...{ topic, partition },
      fromOffset: reached.offset === null ? null : String(reached.offset),
      toOffset: String(toOffset),
      since: reached.occurredAt && reached.occurredAt > until ? until : reached.occurredAt,
      until,
      isRefilled: close !== undefined,
    };
    if (!(await progress.recordGap(group, gap))) return;
    const missed = reached.offset !== null && toOffset > reached.offset ? toOffset - reached.offset : 0n;
    metrics.gaps.inc({ group, topic });
    metrics.missed.inc({ group, topic }, Number(missed));
    logger.error({ ...gap, missed: Number(missed) }, 'events were deleted before they were applied');
  };

  /** A compacted topic and a transaction leave out offsets that nothing was lost of. */
  const isStillThere = async (at: Place, { offset }: Reached) => {
    const bounds = await partitionBounds(kafka, at);
    return bounds !== undefined && offset !== null && bounds.low <= offset && offset <= bounds.high;
  };

  return {
    /**
     * Learns how far each assigned partition is applied. Where it has missed events, and others are left, the first of them will
     * tell until when; where none is left, the gap is recorded now.
     * @returns where to commit that nothing is missing before it any more
     */
    async check(assignment: Assignment): Promise<(Place & { offset: string })[]> {
      // Those of a later assignment are others.
      const assigned = places;
      const found = await groupOffsets(kafka, group, assignment);
      const saved = new Map((await progress.load(group)).map((position) => [keyOf(position), position]));
      const settled: (Place & { offset: string })[] = [];
      for (const { topic, partition, committed, low, high } of found) {
        const at = { topic, partition };
        const position = saved.get(keyOf(at));
        const offsets = { committed, saved: position ? BigInt(position.offset) : null };
        const missed = missedBefore({ ...offsets, low, high });
        const reached = {
          offset: reachedOffset(offsets) ?? (missed === 'nothing' ? low : null),
          occurredAt: position?.occurredAt ?? null,
          hasMissed: missed === 'events',
        };
        const isLeft = low < high;
        if (missed === 'nothing' || (missed === 'events' && isLeft)) {
          assigned.set(keyOf(at), reached);
          continue;
        }
        if (missed === 'events') await record(at, reached, { toOffset: low, until: new Date() });
        else await close?.();
        assigned.set(keyOf(at), { offset: low, occurredAt: null, hasMissed: false });
        settled.push({ ...at, offset: String(low) });
      }
      return settled;
    },
    /** For what was fetched of a partition: it has to begin where the last ended. */
    async fetched(batch: Batch): Promise<void> {
      const reached = places.get(keyOf(batch));
      const offset = fetchedOffsetOf(batch);
      const [first] = batch.messages;
      if (!reached || !first || followsOn(reached, offset, batch)) return;
      if (!reached.hasMissed && (await isStillThere(batch, reached))) return;
      const until = occurredAt(first);
      await record(batch, reached, { toOffset: offset, until });
      places.set(keyOf(batch), { offset, occurredAt: until, hasMissed: false });
    },
    applied(at: Place, next: bigint, lastOccurredAt: Date | null): void {
      const before = places.get(keyOf(at))?.occurredAt ?? null;
      places.set(keyOf(at), { offset: next, occurredAt: lastOccurredAt ?? before, hasMissed: false });
    },
    forget(): void {
      places = new Map();
    },
  };
}

const followsOn = (reached: Reached, fetched: bigint, { highWatermark }: Batch) =>
  !reached.hasMissed &&
  reached.offset !== null &&
  fetched <= reached.offset &&
  reached.offset <= BigInt(highWatermark);

export type GapWatch = ReturnType<typeof createGapWatch>;
