import { randomUUID } from 'node:crypto';
import { createKafkaClient } from '@frontdesk/events';
import { engines } from './engines.ts';
import { eventually } from './eventually.ts';
import { logger } from './logger.ts';

/** A KAFKA_PREFIX of the test's own. */
export const uniquePrefix = () => `test-${randomUUID().slice(0, 8)}.`;

/** A client of the run's Kafka. */
export const kafkaClient = (prefix: string) =>
  createKafkaClient({ brokers: engines().kafkaBrokers.split(','), prefix, clientId: 'test', logger });

/** Deletes every topic under the prefix. One that is just going is still listed, and can't be deleted any more. */
export async function removeTopics(prefix: string): Promise<void> {
  const admin = kafkaClient(prefix).admin();
  await admin.connect();
  const removeListed = async () => {
    const topics = (await admin.listTopics()).filter((name) => name.startsWith(prefix));
    if (topics.length > 0) await admin.deleteTopics({ topics });
  };
  try {
    await eventually(removeListed);
  } finally {
    await admin.disconnect();
  }
}
