import { MAX_EVENT_BYTES, TOPICS, type Topic } from '@frontdesk/contracts';
import { keepTrying } from '@frontdesk/fair';
import kafkajs, { type Admin, type ITopicMetadata } from 'kafkajs';
import type { KafkaClient } from './kafka-client.ts';
import { withAdmin } from './with-admin.ts';

const KNOWN_WITHIN_MS = 5_000;

/** Settings of a topic that differ from Kafka's defaults. */
function settingsOf(topic: Topic): Record<string, string> {
  const { retentionMs } = TOPICS[topic];
  const keep =
    retentionMs === null
      ? { 'cleanup.policy': 'compact' }
      : { 'cleanup.policy': 'delete', 'retention.ms': String(retentionMs) };
  return { ...keep, 'max.message.bytes': String(MAX_EVENT_BYTES) };
}

const configEntries = (settings: Record<string, string>) =>
  Object.entries(settings).map(([name, value]) => ({ name, value }));

/**
 * Creates the topics of `TOPICS` that are missing, and gives the others the partitions and settings that it states. Other settings
 * that an operator has made stay, and so do a longer retention and more partitions.
 */
export async function ensureTopics({ kafka }: { kafka: KafkaClient }): Promise<void> {
  const wanted = new Map((Object.keys(TOPICS) as Topic[]).map((topic) => [kafka.nameOf(topic), topic]));
  await withAdmin(kafka, async (admin) => {
    // kafkajs takes "exists already" for an answer, and the others are created all the same.
    await admin.createTopics({
      topics: [...wanted].map(([name, topic]) => ({
        topic: name,
        numPartitions: TOPICS[topic].partitions,
        // The broker's default.
        replicationFactor: -1,
        configEntries: configEntries(settingsOf(topic)),
      })),
      timeout: KNOWN_WITHIN_MS,
      waitForLeaders: false,
    });
    await addPartitions(admin, wanted);
    await changeSettings(admin, wanted);
  });
}

/** @throws where one of the topics isn't there, or isn't ours to write or read. */
export async function checkTopics(kafka: KafkaClient, topics: readonly Topic[]): Promise<void> {
  await withAdmin(kafka, (admin) => admin.fetchTopicMetadata({ topics: topics.map(kafka.nameOf) }));
}

async function addPartitions(admin: Admin, wanted: ReadonlyMap<string, Topic>): Promise<void> {
  const topicPartitions: { topic: string; count: number }[] = [];
  for (const { name, partitions } of await known(admin, [...wanted.keys()])) {
    const topic = wanted.get(name);
    const count = topic ? TOPICS[topic].partitions : 0;
    if (partitions.length < count) topicPartitions.push({ topic: name, count });
  }
  if (topicPartitions.length > 0) await admin.createPartitions({ topicPartitions });
}

/** The brokers learn of a new topic one after the other, a moment later. */
async function known(admin: Admin, topics: string[]): Promise<ITopicMetadata[]> {
  let found: ITopicMetadata[] | undefined;
  const look = async () => {
    found = (await admin.fetchTopicMetadata({ topics })).topics;
  };
  await keepTrying(look, { signal: AbortSignal.timeout(KNOWN_WITHIN_MS), onFailure() {} });
  if (!found) throw new Error(`Kafka does not know the topics that it was to create: ${topics.join(', ')}.`);
  return found;
}

/** In Kafka's settings, -1 is for ever. */
const keptMs = (retention: string | undefined) => (retention === '-1' ? Infinity : Number(retention));

async function changeSettings(admin: Admin, wanted: ReadonlyMap<string, Topic>): Promise<void> {
  const described = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [...wanted.keys()].map((name) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name })),
  });
  const resources = described.resources.flatMap(({ resourceName: name, configEntries: entries }) => {
    const topic = wanted.get(name);
    if (!topic) return [];
    // This request sets a topic's own settings as a whole: what it doesn't name falls back to the broker's.
    const own = Object.fromEntries(
      entries
        .filter(({ configSource }) => configSource === kafkajs.ConfigSource.TOPIC_CONFIG)
        .map(({ configName, configValue }) => [configName, configValue]),
    );
    const stated = settingsOf(topic);
    const retention = entries.find(({ configName }) => configName === 'retention.ms')?.configValue;
    if (keptMs(retention) > keptMs(stated['retention.ms'])) delete stated['retention.ms'];
    if (Object.entries(stated).every(([setting, value]) => own[setting] === value)) return [];
    return [
      { type: kafkajs.ConfigResourceTypes.TOPIC, name, configEntries: configEntries({ ...own, ...stated }) },
    ];
  });
  if (resources.length > 0) await admin.alterConfigs({ validateOnly: false, resources });
}
