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
import { quietIdleTimer } from '../kafkajs/idle-timer.ts';
import { kafkaLogCreator } from '../kafkajs/logging.ts';
import { type KafkaAccess, readAuthority } from './kafka-access.ts';
import { kafkaLogins } from './kafka-login.ts';

/** Bounds of every wait on Kafka, in milliseconds. */
const BOUNDS = {
  connectionTimeoutMs: 3_000,
  requestTimeoutMs: 8_000,
  /** A dead member's partitions are free again after this time; brokers must allow it (group.min.session.timeout.ms). */
  sessionTimeoutMs: 3_000,
  /** How long a send waits for a connection before it rejects, and how long for the acknowledgement. */
  connectWaitMs: 2_000,
  sendTimeoutMs: 10_000,
  /** Longest waits at a stop. */
  publisherStopTimeoutMs: 3_000,
  consumerStopTimeoutMs: 4_000,
};

export type KafkaBounds = typeof BOUNDS;

/** How this process reaches Kafka. Nothing connects before it is used. */
export interface KafkaClient {
  bounds: KafkaBounds;
  /** How long relay and consumers pause after a batch, for others to share the next one. */
  lingerMs: number;
  /** What a topic or a group is called in the cluster: its own name behind the client's prefix. */
  nameOf: (name: string) => string;
  admin(): Admin;
  /** Idempotent, acknowledged by all in-sync replicas. */
  producer(): Producer;
  consumer(config: ConsumerConfig): Consumer;
}

/** Few and quick, everywhere: publisher and consumer try on for ever themselves, and can be stopped while they do. */
const RETRY = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 3 };

/**
 * @param options.bounds overrides of the defaults
 * @throws EngineAccessError where the authority's file holds none
 */
export function createKafkaClient(
  options: KafkaAccess & {
    clientId: string;
    logger: Logger;
    bounds?: Partial<KafkaBounds>;
  },
): KafkaClient {
  const { brokers, clientId, logger, prefix = '', login: user, caFile, lingerMs = 0 } = options;
  const bounds = { ...BOUNDS, ...options.bounds };
  const ssl = caFile && { ca: readAuthority(caFile) };
  const nextLogin = user && kafkaLogins(user);
  quietIdleTimer();
  // A Kafka object for each use: consumers of one share what they know of their group's committed offsets.
  const client = <Client extends Pick<Admin, 'connect'>>(of: (kafka: Kafka) => Client): Client => {
    const login = nextLogin?.();
    const kafka = new Kafka({
      brokers,
      clientId,
      ...(ssl && { ssl }),
      ...(login && { sasl: login.sasl }),
      connectionTimeout: bounds.connectionTimeoutMs,
      requestTimeout: bounds.requestTimeoutMs,
      retry: RETRY,
      logLevel: logLevel.WARN,
      logCreator: kafkaLogCreator(logger),
    });
    const made = of(kafka);
    return login ? { ...made, connect: () => made.connect().catch(login.failed) } : made;
  };
  return {
    bounds,
    lingerMs,
    nameOf: (name) => `${prefix}${name}`,
    admin: () => client((kafka) => kafka.admin()),
    producer: () =>
      client((kafka) =>
        kafka.producer({
          idempotent: true,
          allowAutoTopicCreation: false,
          createPartitioner: Partitioners.DefaultPartitioner,
          retry: RETRY,
        }),
      ),
    consumer: (config) =>
      client((kafka) =>
        kafka.consumer({
          ...config,
          allowAutoTopicCreation: false,
          // A crashed consumer ends; ours is then built anew. kafkajs's own restart can't be stopped half way.
          retry: { ...RETRY, restartOnFailure: async () => false },
        }),
      ),
  };
}
