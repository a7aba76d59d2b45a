export * from './consumer.ts';
export { DEAD_LETTER_HEADERS } from './dead-letters.ts';
export * from './event-lists.ts';
export { createKafkaClient, type KafkaClient } from './kafka-client.ts';
export * from './publisher.ts';
export { createRefill, type Refill } from './refill.ts';
export { deadLetterTopic, ensureTopics } from './topics.ts';
