import type { Admin } from 'kafkajs';
import type { KafkaClient } from '../kafka/kafka-client.ts';
import { withAdmin } from '../kafka/with-admin.ts';

/** Partitions by topic, as in the cluster. */
export type Assignment = Record<string, number[]>;

export interface Place {
  topic: string;
  partition: number;
}

/** The oldest offset that is still there, and the next one to come. */
export interface Bounds {
  low: bigint;
  high: bigint;
}

/** With what the group has committed. */
export interface GroupOffsets extends Place, Bounds {
  committed: bigint;
}

async function boundsOf(admin: Admin, topic: string): Promise<Map<number, Bounds>> {
  const offsets = await admin.fetchTopicOffsets(topic);
  return new Map(
    offsets.map(({ partition, low, high }) => [partition, { low: BigInt(low), high: BigInt(high) }]),
  );
}

/** What Kafka knows of each assigned partition, and of how far the group is there. */
export const groupOffsets = (
  kafka: KafkaClient,
  group: string,
  assignment: Assignment,
): Promise<GroupOffsets[]> =>
  withAdmin(kafka, async (admin) => {
    const found: GroupOffsets[] = [];
    const topics = Object.keys(assignment);
    for (const { topic, partitions } of await admin.fetchOffsets({ groupId: kafka.nameOf(group), topics })) {
      const bounds = await boundsOf(admin, topic);
      for (const { partition, offset } of partitions) {
        const bound = bounds.get(partition);
        if (!bound || !assignment[topic]?.includes(partition)) continue;
        found.push({ topic, partition, committed: BigInt(offset), ...bound });
      }
    }
    return found;
  });

/** Undefined where there is no such partition. */
export const partitionBounds = (kafka: KafkaClient, { topic, partition }: Place) =>
  withAdmin(kafka, async (admin) => (await boundsOf(admin, topic)).get(partition));
