import { randomUUID } from 'node:crypto';
import { createKafkaClient, ensureTopics, type KafkaBounds, withAdmin } from '@frontdesk/events';
import { engines } from './engines.ts';
import { eventually } from './eventually.ts';
import { logger } from './logger.ts';

/** A KAFKA_PREFIX of the test's own. */
export const uniquePrefix = () => `test-${randomUUID().slice(0, 8)}.`;

const PATIENCE_MS = 60_000;
/** No bound of a service's ends what is only slow: a member that is held up stays one, and a stop is over when all is closed. */
export const PATIENT_KAFKA: KafkaBounds = {
  connectionTimeoutMs: PATIENCE_MS,
  requestTimeoutMs: PATIENCE_MS,
  sessionTimeoutMs: PATIENCE_MS,
  connectWaitMs: PATIENCE_MS,
  sendTimeoutMs: PATIENCE_MS,
  publisherStopTimeoutMs: PATIENCE_MS,
  consumerStopTimeoutMs: PATIENCE_MS,
};

/** A client of the run's Kafka. With `PATIENT_KAFKA`, except for these limits. */
export const kafkaClient = (prefix: string, bounds: Partial<KafkaBounds> = {}) =>
  createKafkaClient({
    brokers: engines().kafkaBrokers.split(','),
    prefix,
    clientId: 'test',
    logger,
    bounds: { ...PATIENT_KAFKA, ...bounds },
  });

/** Makes the topics under the prefix, as the migrate job does for a system. @returns the prefix */
export async function createTopics(prefix = uniquePrefix()): Promise<string> {
  await eventually(() => ensureTopics({ kafka: kafkaClient(prefix) }));
  return prefix;
}

/** Deletes every topic under the prefix. One that is just going is still listed, and can't be deleted any more. */
export async function removeTopics(prefix: string): Promise<void> {
  await withAdmin(kafkaClient(prefix), (admin) =>
    eventually(async () => {
      const topics = (await admin.listTopics()).filter((name) => name.startsWith(prefix));
      if (topics.length > 0) await admin.deleteTopics({ topics });
    }),
  );
}
