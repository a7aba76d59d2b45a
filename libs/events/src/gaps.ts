import type { Logger } from '@frontdesk/service';
import type { KafkaClient } from './kafka-client.ts';
import type { ConsumerMetrics } from './metrics.ts';

/** Partitions by topic, as in the cluster. */
export type Assignment = Record<string, number[]>;

interface Place {
  topic: string;
  partition: number;
}

/** Where the group goes on although events from before it were never applied. */
interface Gap extends Place {
  offset: string;
  /** The group had begun, so events are known to be missing; else it has no memory and they may be. */
  isLoss: boolean;
}

const NONE = -1n;

/**
 * Events that a group has missed for good: Kafka had deleted them when it came to read on, or has forgotten how far it
 * was. kafkajs goes on at the oldest that is left and says nothing, except that it commits a negative offset.
 */
async function findGaps(kafka: KafkaClient, group: string, assignment: Assignment): Promise<Gap[]> {
  const topics = Object.keys(assignment);
  const gaps: Gap[] = [];
  const admin = kafka.admin();
  try {
    await admin.connect();
    for (const { topic, partitions } of await admin.fetchOffsets({ groupId: kafka.nameOf(group), topics })) {
      const bounds = new Map((await admin.fetchTopicOffsets(topic)).map((bound) => [bound.partition, bound]));
      for (const { partition, offset } of partitions) {
        const bound = bounds.get(partition);
        if (!bound || !assignment[topic]?.includes(partition)) continue;
        const [committed, low, high] = [offset, bound.low, bound.high].map(BigInt) as [
          bigint,
          bigint,
          bigint,
        ];
        const isGap = committed === NONE ? low > 0n : committed < low || committed > high;
        if (isGap) gaps.push({ topic, partition, offset: bound.low, isLoss: committed !== NONE });
      }
    }
    return gaps;
  } finally {
    await admin.disconnect();
  }
}

/**
 * Looks for gaps, in what a member is assigned and in what it fetches, and has them closed.
 * @param options.close makes good for what was missed, durably; without it a gap is only told of
 */
export function createGapWatch(options: {
  kafka: KafkaClient;
  group: string;
  close: (() => Promise<void>) | undefined;
  metrics: ConsumerMetrics;
  logger: Logger;
}) {
  const { kafka, group, close, metrics, logger } = options;
  const next = new Map<string, bigint>();
  const keyOf = ({ topic, partition }: Place) => `${topic}/${partition}`;

  const report = ({ topic, partition }: Place) => {
    metrics.gaps.inc({ group, topic });
    logger.error({ topic, partition }, 'events were deleted before they were applied');
  };

  return {
    /** @returns where to commit that the gaps before it are closed */
    async check(assignment: Assignment): Promise<(Place & { offset: string })[]> {
      const gaps = await findGaps(kafka, group, assignment);
      if (gaps.length > 0) await close?.();
      for (const gap of gaps) if (gap.isLoss) report(gap);
      return gaps;
    },
    /** For what was fetched of a partition: it has to begin where the last ended. */
    async fetched(at: Place, offset: string): Promise<void> {
      const expected = next.get(keyOf(at));
      if (expected === undefined || BigInt(offset) <= expected) return;
      await close?.();
      report(at);
      next.set(keyOf(at), BigInt(offset));
    },
    applied(at: Place, nextOffset: bigint): void {
      next.set(keyOf(at), nextOffset);
    },
    forget: () => next.clear(),
  };
}

export type GapWatch = ReturnType<typeof createGapWatch>;
