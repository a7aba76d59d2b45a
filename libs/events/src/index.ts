export * from './consumer.ts';
export * from './event-lists.ts';
export { createKafkaClient, type KafkaBounds, type KafkaClient } from './kafka-client.ts';
export * from './publisher.ts';
export { createRefill, type Refill } from './refill.ts';
export { type SnapshotOf, type SnapshotTopic, snapshotPages } from './snapshot-pages.ts';
export { ensureTopics } from './topics.ts';
