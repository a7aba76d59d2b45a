import { MAX_EVENT_BYTES, TOPICS, type Topic } from '@frontdesk/contracts';
import { bisect } from '@frontdesk/fair';
import {
  type Component,
  type EventPublisher,
  type Logger,
  type Metrics,
  type OutboundRecord,
  RefusedRecordError,
} from '@frontdesk/service';
import { publisherMetrics } from '../consumer/metrics.ts';
import type { KafkaClient } from '../kafka/kafka-client.ts';
import { checkTopics } from '../kafka/topics.ts';
import { createProducerConnection } from './producer-connection.ts';
import { bySize, type SizeBatch } from './size-batches.ts';

/** Errors by which a broker refuses a record, whenever it comes; every other error may pass. */
const REFUSALS = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD']);

export type KafkaPublisher = EventPublisher &
  Component &
  Required<Pick<Component, 'start' | 'stop' | 'ready'>>;

/**
 * Publishes records in the order given, acknowledged by all in-sync replicas. It connects in the background, for ever;
 * without Kafka `publish` rejects after two seconds, and after ten when Kafka hangs. What was rejected may have arrived
 * all the same: publish it again.
 * @param options.topics those that it has to be able to write; all by default
 */
export function createPublisher(options: {
  kafka: KafkaClient;
  topics?: readonly Topic[];
  logger: Logger;
  metrics?: Metrics;
}): KafkaPublisher {
  const { kafka, topics = Object.keys(TOPICS) as Topic[], logger, metrics } = options;
  const published = metrics && publisherMetrics(metrics).published;
  const connection = createProducerConnection({
    kafka,
    logger,
    prepare: () => checkTopics(kafka, topics),
    purpose: `to write ${topics.join(', ')}`,
  });

  metrics?.watchConnection('kafka', 'publisher', connection.isConnected);

  const send = async (records: OutboundRecord[]) => {
    const byTopic = [...Map.groupBy(records, ({ topic }) => topic)];
    await connection.send(
      byTopic.map(([topic, ofTopic]) => ({
        topic: kafka.nameOf(topic),
        messages: ofTopic.map(({ key, value, traceparent }) => ({
          key,
          value,
          ...(traceparent && { headers: { traceparent } }),
        })),
      })),
    );
    for (const [topic, { length }] of byTopic) published?.inc({ topic }, length);
  };

  const sendBatch = ({ first, records }: SizeBatch) =>
    bisect([...records.entries()], {
      async take(part) {
        try {
          await send(part.map(([, record]) => record));
          return null;
        } catch (error) {
          if (isRefusal(error)) return error;
          throw error;
        }
      },
      setAside([index], error) {
        throw new RefusedRecordError(first + index, error);
      },
    });

  return {
    name: 'publisher',
    refused: connection.refused,
    async start() {
      connection.start();
    },
    async publish(records) {
      const tooLarge = records.findIndex(({ value }) => Buffer.byteLength(value) > MAX_EVENT_BYTES);
      if (tooLarge >= 0) throw new RefusedRecordError(tooLarge, new Error('larger than an event may be'));
      for (const batch of bySize(records)) await sendBatch(batch);
    },
    stop: () => connection.stop(),
    // Once connected, a lost Kafka makes no service unready: writes still succeed and events wait in the outbox.
    ready: () => (connection.hasConnected() ? null : 'kafka'),
  };
}

const isRefusal = (error: unknown) =>
  error instanceof Error && 'type' in error && REFUSALS.has(String(error.type));
