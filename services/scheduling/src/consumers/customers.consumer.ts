import type { Database } from '@frontdesk/database';
import {
  createConsumer,
  type EventConsumer,
  eventsOf,
  type KafkaClient,
  latestPerAggregate,
} from '@frontdesk/events';
import type { ConsumerProgress, DeadLetters, ServiceContext } from '@frontdesk/service';
import { storeCustomers } from '../data/customer.repository.ts';

/** Keeps the projection of customers level with crm: who is a customer of whom. */
export function customersConsumer(
  deps: {
    database: Database;
    kafka: KafkaClient;
    deadLetters: DeadLetters;
    progress: ConsumerProgress;
    onGap: () => Promise<void>;
  },
  { logger, metrics }: ServiceContext,
): EventConsumer {
  return createConsumer({
    kafka: deps.kafka,
    group: 'scheduling.customers',
    topics: ['customers'],
    apply: (events) =>
      storeCustomers(
        deps.database.system,
        latestPerAggregate(eventsOf('customers', events)).map((event) => ({
          tenantId: event.tenant_id,
          id: event.aggregate_id,
          version: event.aggregate_version,
        })),
      ),
    onGap: deps.onGap,
    deadLetters: deps.deadLetters,
    progress: deps.progress,
    logger,
    metrics,
  });
}
