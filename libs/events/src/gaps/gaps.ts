import type { ConsumerPosition, ConsumerProgress, EventGap, Logger } from '@frontdesk/service';
import type { Batch } from 'kafkajs';
import type { ConsumerMetrics } from '../consumer/metrics.ts';
import {
  type Assignment,
  type GroupOffsets,
  groupOffsets,
  type Place,
  partitionBounds,
} from '../consumer/partition-offsets.ts';
import { occurredAt } from '../consumer/read-message.ts';
import type { KafkaClient } from '../kafka/kafka-client.ts';
import { missedBefore, reachedOffset } from './missed-before.ts';

/** How far a partition is applied. */
interface Reached {
  /** Of the next event to apply; null: unknown. */
  offset: bigint | null;
  /** When what was applied last occurred. */
  occurredAt: Date | null;
  /** Known to have missed events; the first event that is left will show until when. */
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

  /** Closed before it is recorded: cut off in between, it is found again. @returns where the group goes on */
  const record = async (
    { topic, partition }: Place,
    { offset, occurredAt: since }: Reached,
    { toOffset, until }: Pick<EventGap, 'until'> & { toOffset: bigint },
  ): Promise<Reached> => {
    await close?.();
    const gap: EventGap = {
      topic,
      partition,
      fromOffset: offset === null ? null : String(offset),
      toOffset: String(toOffset),
      since: since && since > until ? until : since,
      until,
      isRefilled: close !== undefined,
    };
    if (await progress.recordGap(group, gap)) {
      const missed = offset !== null && toOffset > offset ? Number(toOffset - offset) : 0;
      metrics.gaps.inc({ group, topic });
      metrics.missed.inc({ group, topic }, missed);
      logger.error({ ...gap, missed }, 'events were deleted before they were applied');
    }
    return { offset: toOffset, occurredAt: until, hasMissed: false };
  };

  /** Where events are left, the first of them shows until when others are missing; where none is left, the gap ends now. */
  const begin = async (at: GroupOffsets, position: ConsumerPosition | undefined) => {
    const offsets = { committed: at.committed, saved: position ? BigInt(position.offset) : null };
    const missed = missedBefore({ ...at, ...offsets });
    const offset = reachedOffset(offsets);
    const since = position?.occurredAt ?? null;
    if (missed === 'events') {
      const reached: Reached = { offset, occurredAt: since, hasMissed: true };
      if (at.low < at.high) return { reached, isClosed: false };
      return {
        reached: await record(at, reached, { toOffset: at.low, until: new Date() }),
        isClosed: true,
      };
    }
    if (missed === 'perhaps') await close?.();
    const first = offset ?? at.low;
    const occurredAt = since ?? (first === at.high ? new Date() : null);
    return { reached: { offset: first, occurredAt, hasMissed: false }, isClosed: missed === 'perhaps' };
  };

  /** A compacted topic and a transaction leave out offsets that nothing was lost of. */
  const isStillThere = async (at: Place, { offset }: Reached) => {
    const bounds = await partitionBounds(kafka, at);
    return bounds !== undefined && offset !== null && bounds.low <= offset && offset <= bounds.high;
  };

  return {
    /**
     * Finds out up to which offset each assigned partition is applied, and saves it for a partition that has no saved
     * offset yet: from then on deleted events count as missed. @returns the offsets to commit for partitions whose
     * gap is closed already
     */
    async check(assignment: Assignment): Promise<(Place & { offset: string })[]> {
      // Those of a later assignment are others.
      const assigned = places;
      const found = await groupOffsets(kafka, group, assignment);
      const saved = new Map((await progress.load(group)).map((position) => [keyOf(position), position]));
      const news: ConsumerPosition[] = [];
      const closed: ConsumerPosition[] = [];
      for (const at of found) {
        const known = saved.get(keyOf(at));
        const { reached, isClosed } = await begin(at, known);
        assigned.set(keyOf(at), reached);
        if (reached.hasMissed) continue;
        const { topic, partition } = at;
        const position = { topic, partition, offset: String(reached.offset), occurredAt: reached.occurredAt };
        if (!known) news.push(position);
        if (isClosed) closed.push(position);
      }
      if (news.length > 0) await progress.save(group, news);
      return closed;
    },
    /** For what was fetched of a partition: it has to begin where the last ended. */
    async fetched(batch: Batch): Promise<void> {
      const reached = places.get(keyOf(batch));
      const [first] = batch.messages;
      if (!reached || !first || followsOn(reached, batch)) return;
      if (!reached.hasMissed && (await isStillThere(batch, reached))) return;
      const end = { toOffset: fetchedOffsetOf(batch), until: occurredAt(first) };
      places.set(keyOf(batch), await record(batch, reached, end));
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

const followsOn = ({ offset, hasMissed }: Reached, batch: Batch) =>
  !hasMissed && offset !== null && fetchedOffsetOf(batch) <= offset && offset <= BigInt(batch.highWatermark);

export type GapWatch = ReturnType<typeof createGapWatch>;
