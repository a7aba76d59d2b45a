import type { Logger } from '@frontdesk/service';
import {
  type Admin,
  type Consumer,
  type ConsumerConfig,
  Kafka,
  logLevel,
  Partitioners,
  type Producer,
} from 'kafkajs';
import { kafkaLogCreator } from './kafka-logging.ts';
import { quietIdleTimer } from './quiet-idle-timer.ts';

/** How this process reaches Kafka. Nothing connects before it is used. */
export interface KafkaClient {
  /** What a topic or a group is called in the cluster: its own name behind the client's prefix. */
  nameOf: (name: string) => string;
  admin(): Admin;
  /** Idempotent, acknowledged by all in-sync replicas. */
  producer(): Producer;
  consumer(config: ConsumerConfig): Consumer;
}

const CONNECTION_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 8_000;

/** Few and quick, everywhere: publisher and consumer try on for ever themselves, and can be stopped while they do. */
const RETRY = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 3 };

/**
 * @param brokers `host:port` of one or more brokers of the cluster
 * @param prefix put before every topic and group, so that several systems (or tests) can share one cluster
 */
export function createKafkaClient(options: {
  brokers: string[];
  clientId: string;
  logger: Logger;
  prefix?: string;
}): KafkaClient {
  const { brokers, clientId, logger, prefix = '' } = options;
  quietIdleTimer();
  // One for each use: consumers of one Kafka object share what they know of their group's committed offsets.
  const connect = () =>
    new Kafka({
      brokers,
      clientId,
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      retry: RETRY,
      logLevel: logLevel.WARN,
      logCreator: kafkaLogCreator(logger),
    });
  return {
    nameOf: (name) => `${prefix}${name}`,
    admin: () => connect().admin(),
    producer: () =>
      connect().producer({
        idempotent: true,
        allowAutoTopicCreation: false,
        createPartitioner: Partitioners.DefaultPartitioner,
        retry: RETRY,
      }),
    consumer: (config) =>
      connect().consumer({
        ...config,
        allowAutoTopicCreation: false,
        // A crashed consumer ends; ours is then built anew. kafkajs's own restart can't be stopped half way.
        retry: { ...RETRY, restartOnFailure: async () => false },
      }),
  };
}
