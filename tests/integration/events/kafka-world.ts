import { type DomainEvent, type EventEnvelope, TOPICS, type Topic } from '@frontdesk/contracts';
import {
  createConsumer,
  createPublisher,
  type EventConsumer,
  type KafkaBounds,
  type KafkaClient,
  withAdmin as withAdminOf,
} from '@frontdesk/events';
import {
  type ConsumerProgress,
  createMetrics,
  type DeadLetters,
  type OutboundRecord,
} from '@frontdesk/service';
import {
  collectDeadLetters,
  createTopics,
  eventOf,
  eventually,
  kafkaClient,
  logger,
  progressBox,
  removeTopics,
  sampleCustomer,
  uniquePrefix,
} from '../../support/index.ts';

interface RawMessage {
  key: string;
  value: string | Buffer;
  partition?: number;
}

/** Topics and groups of a test's own on the real Kafka, and everything it starts, stopped at the end. */
export function kafkaWorld() {
  const prefix = uniquePrefix();
  const parts: { stop(): Promise<void> }[] = [];
  const client = (bounds: Partial<KafkaBounds> = {}) => kafkaClient(prefix, bounds);
  const kafka = client();
  type Admin = ReturnType<typeof kafka.admin>;
  const withAdmin = <Result>(work: (admin: Admin) => Promise<Result>) => withAdminOf(kafka, work);
  let made: Promise<string> | undefined;
  const topicsExist = () => {
    made ??= createTopics(prefix);
    return made;
  };
  const sendOnce = async (topic: Topic, messages: RawMessage[]) => {
    const producer = kafka.producer();
    try {
      await producer.connect();
      await producer.send({ topic: kafka.nameOf(topic), messages });
    } finally {
      await producer.disconnect();
    }
  };
  return {
    kafka,
    client,
    withAdmin,
    topicsExist,
    async publisher() {
      await topicsExist();
      const publisher = createPublisher({ kafka, logger });
      parts.push(publisher);
      await publisher.start();
      await eventually(() => expect(publisher.ready()).toBeNull());
      // A broker says that it leads a new topic a moment before it does.
      await withAdmin(async (admin) => {
        for (const topic of Object.keys(TOPICS))
          await eventually(() => admin.fetchTopicOffsets(kafka.nameOf(topic)));
      });
      return publisher;
    },
    /** Each has a client of its own, as in processes of their own. With `isEarly` nobody has made its topics yet. */
    async consumer(options: {
      topics: Topic[];
      apply: (events: DomainEvent[]) => Promise<void>;
      group?: string;
      onGap?: () => Promise<void>;
      kafka?: KafkaClient;
      metrics?: ReturnType<typeof createMetrics>;
      deadLetters?: DeadLetters;
      progress?: ConsumerProgress;
      isEarly?: boolean;
    }): Promise<EventConsumer> {
      const { isEarly = false, ...rest } = options;
      if (!isEarly) await topicsExist();
      const consumer = createConsumer({
        kafka: client(),
        group: 'readers',
        deadLetters: collectDeadLetters(),
        progress: progressBox(),
        logger,
        metrics: createMetrics(),
        ...rest,
      });
      parts.push(consumer);
      await consumer.start();
      return consumer;
    },
    /** Sends raw messages, as no publisher of ours would. */
    async send(topic: Topic, messages: RawMessage[]) {
      await topicsExist();
      await eventually(() => sendOnce(topic, messages));
    },
    async stop() {
      await Promise.all(parts.map((part) => part.stop()));
      await removeTopics(prefix);
    },
  };
}

/** An event of a customer at a version. */
export const customerEvent = (id: number, version: number, tenantId = 1): EventEnvelope =>
  eventOf(
    version === 1 ? 'customer.created' : 'customer.updated',
    tenantId,
    sampleCustomer({ id, name: `Customer ${id}` }),
    version,
  );

export const recordOf = (event: EventEnvelope): OutboundRecord => ({
  topic: 'customers',
  key: `${event.tenant_id}:${event.aggregate_id}`,
  value: JSON.stringify(event),
});

/** Versions seen of each customer, in the order they came. */
export function versionsById(events: readonly DomainEvent[]): Record<number, number[]> {
  const versions: Record<number, number[]> = {};
  for (const event of events) {
    versions[event.aggregate_id] ??= [];
    versions[event.aggregate_id]?.push(event.aggregate_version);
  }
  return versions;
}
