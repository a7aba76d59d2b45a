import type { Logger } from '@frontdesk/service';
import type { KafkaMessage } from 'kafkajs';
import type { KafkaClient } from './kafka-client.ts';
import { createProducerConnection, type ProducerConnection } from './producer-connection.ts';
import { deadLetterTopic } from './topics.ts';

/** Headers that a dead letter carries beside those of the original message. */
export const DEAD_LETTER_HEADERS = {
  topic: 'dead-letter-topic',
  partition: 'dead-letter-partition',
  offset: 'dead-letter-offset',
  error: 'dead-letter-error',
  failedAt: 'dead-letter-failed-at',
} as const;

const MAX_ERROR_CHARACTERS = 2_000;

export interface DeadLetters {
  /** Resolves once Kafka holds the message, key and bytes unchanged, in the group's dead-letter topic. */
  setAside(letter: { topic: string; partition: number; message: KafkaMessage; error: string }): Promise<void>;
  stop(): Promise<void>;
}

export function createDeadLetters(options: {
  kafka: KafkaClient;
  group: string;
  logger: Logger;
}): DeadLetters {
  const { kafka, group, logger } = options;
  const topic = kafka.nameOf(deadLetterTopic(group));
  let connection: ProducerConnection | undefined;

  /** Connected at the first dead letter: most consumers never have one. */
  const connected = () => {
    if (!connection) {
      connection = createProducerConnection({ kafka, logger });
      connection.start();
    }
    return connection;
  };

  return {
    async setAside({ topic: source, partition, message, error }) {
      const headers = {
        ...message.headers,
        [DEAD_LETTER_HEADERS.topic]: source,
        [DEAD_LETTER_HEADERS.partition]: String(partition),
        [DEAD_LETTER_HEADERS.offset]: message.offset,
        [DEAD_LETTER_HEADERS.error]: error.slice(0, MAX_ERROR_CHARACTERS),
        [DEAD_LETTER_HEADERS.failedAt]: new Date().toISOString(),
      };
      await connected().send([{ topic, messages: [{ key: message.key, value: message.value, headers }] }]);
    },
    async stop() {
      await connection?.stop();
    },
  };
}
