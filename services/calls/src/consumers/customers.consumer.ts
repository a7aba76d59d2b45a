import {
  createConsumer,
  type EventConsumer,
  eventsOf,
  type KafkaClient,
  latestPerAggregate,
} from '@frontdesk/events';
import type { ConsumerProgress, DeadLetters, ServiceContext } from '@frontdesk/service';
import { type LearnDeps, learnCustomers } from '../use-cases/learn-customers.ts';

/** Keeps `customer_numbers` level with crm: whose number is whose. */
export function customersConsumer(
  deps: LearnDeps & {
    kafka: KafkaClient;
    deadLetters: DeadLetters;
    progress: ConsumerProgress;
    onGap: () => Promise<void>;
  },
  { logger, metrics }: ServiceContext,
): EventConsumer {
  return createConsumer({
    kafka: deps.kafka,
    group: 'calls.customers',
    topics: ['customers'],
    apply: (events) =>
      learnCustomers(
        deps,
        latestPerAggregate(eventsOf('customers', events)).map((event) => ({
          tenantId: event.tenant_id,
          id: event.aggregate_id,
          phone: event.data.phone,
        })),
      ),
    onGap: deps.onGap,
    deadLetters: deps.deadLetters,
    progress: deps.progress,
    logger,
    metrics,
  });
}
