import { randomUUID } from 'node:crypto';
import type { DomainEvent, Topic } from '@frontdesk/contracts';
import { createConsumer, createKafkaClient, createPublisher, type EventConsumer } from '@frontdesk/events';
import { createLogger, createMetrics, type OutboundRecord } from '@frontdesk/service';
import { engines } from '../../support/index.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

/** Topics and groups of a test's own on the real Kafka, and everything it starts, stopped at the end. */
export function kafkaWorld() {
  const prefix = `test-${randomUUID().slice(0, 8)}.`;
  const parts: { stop(): Promise<void> }[] = [];
  const newClient = () =>
    createKafkaClient({ brokers: engines().kafkaBrokers.split(','), clientId: 'test', logger, prefix });
  const kafka = newClient();
  return {
    kafka,
    async publisher() {
      const publisher = createPublisher({ kafka, logger });
      parts.push(publisher);
      await publisher.start();
      return publisher;
    },
    /** Each has a client of its own, as in processes of their own. */
    async consumer(options: {
      topics: Topic[];
      apply: (events: DomainEvent[]) => Promise<void>;
      group?: string;
      sessionTimeoutMs?: number;
      metrics?: ReturnType<typeof createMetrics>;
    }): Promise<EventConsumer> {
      const consumer = createConsumer({
        kafka: newClient(),
        group: 'readers',
        logger,
        metrics: createMetrics(),
        ...options,
      });
      parts.push(consumer);
      await consumer.start();
      return consumer;
    },
    /** Sends raw messages, as no publisher of ours would. */
    async send(topic: Topic, messages: { key: string; value: string | Buffer; partition?: number }[]) {
      const producer = kafka.producer();
      await producer.connect();
      await producer.send({ topic: kafka.nameOf(topic), messages });
      await producer.disconnect();
    },
    async stop() {
      await Promise.all(parts.map((part) => part.stop()));
      const admin = kafka.admin();
      await admin.connect();
      const mine = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
      if (mine.length > 0) await admin.deleteTopics({ topics: mine });
      await admin.disconnect();
    },
  };
}

/** An event of a customer at a version, as an owner's outbox would hold it. */
export function customerEvent(id: number, version: number, tenantId = 1) {
  const at = '2026-03-02T09:00:00Z';
  return {
    event_id: randomUUID(),
    type: version === 1 ? 'customer.created' : 'customer.updated',
    schema_version: 1,
    tenant_id: tenantId,
    aggregate_id: id,
    aggregate_version: version,
    occurred_at: at,
    data: {
      id,
      name: `Customer ${id}`,
      phone: '+4930123456',
      email: null,
      segment: 'lead',
      pipeline_stage: null,
      notes: null,
      source: 'api',
      created_at: at,
      updated_at: at,
      total_appointments: 0,
      total_spent: 0,
      currency: 'EUR',
      last_visit_date: null,
    },
  };
}

export const recordOf = (event: ReturnType<typeof customerEvent>): OutboundRecord => ({
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
