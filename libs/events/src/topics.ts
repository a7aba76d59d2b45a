import { MAX_EVENT_BYTES, TOPICS, type Topic } from '@frontdesk/contracts';
import type { ITopicConfig } from 'kafkajs';
import { keepTrying } from './backoff.ts';
import type { KafkaClient } from './kafka-client.ts';

const KNOWN_WITHIN_MS = 5_000;

const config = (entries: Record<string, string | number>) =>
  Object.entries(entries).map(([name, value]) => ({ name, value: String(value) }));

function eventTopicConfig(topic: Topic): ITopicConfig {
  const { partitions, retentionMs } = TOPICS[topic];
  const keep =
    retentionMs === null
      ? { 'cleanup.policy': 'compact' }
      : { 'cleanup.policy': 'delete', 'retention.ms': retentionMs };
  return {
    topic,
    numPartitions: partitions,
    configEntries: config({ ...keep, 'max.message.bytes': MAX_EVENT_BYTES }),
  };
}

/**
 * Creates those of the topics that are missing, with the partitions and the retention that `TOPICS` states. What exists is
 * left as it is.
 * @param replicationFactor the broker's default where it isn't given
 */
export async function ensureTopics(options: {
  kafka: KafkaClient;
  topics: readonly Topic[];
  replicationFactor?: number;
}): Promise<void> {
  const { kafka, topics, replicationFactor = -1 } = options;
  const wanted = topics.map(eventTopicConfig).map((topic) => ({
    ...topic,
    topic: kafka.nameOf(topic.topic),
    replicationFactor,
  }));
  const admin = kafka.admin();
  try {
    await admin.connect();
    const existing = new Set(await admin.listTopics());
    const missing = wanted.filter(({ topic }) => !existing.has(topic));
    if (missing.length === 0) return;
    // Another process may create one at the same moment: kafkajs takes "exists already" for an answer.
    await admin.createTopics({ topics: missing, timeout: KNOWN_WITHIN_MS, waitForLeaders: false });
    // The brokers learn of a new topic one after the other, a moment later.
    const names = missing.map(({ topic }) => topic);
    await keepTrying(async () => void (await admin.fetchTopicMetadata({ topics: names })), {
      signal: AbortSignal.timeout(KNOWN_WITHIN_MS),
      onFailure() {},
    });
  } finally {
    await admin.disconnect();
  }
}
