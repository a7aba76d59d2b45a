import type { DomainEvent } from '@frontdesk/contracts';
import { createConsumer, type KafkaClient } from '@frontdesk/events';
import type { Logger, Metrics, Part } from '@frontdesk/service';
import type { EventRepository } from '../data/event.repository.ts';

/** Takes every webhook event in; `onReceived` is called after the commit of deliveries to be made. */
export function createEventsConsumer(options: {
  kafka: KafkaClient;
  events: EventRepository;
  onReceived: () => void;
  logger: Logger;
  metrics: Metrics;
}): Part {
  const { kafka, events, onReceived, logger, metrics } = options;
  return createConsumer({
    kafka,
    group: 'webhooks',
    topics: ['customers', 'appointments'],
    async apply(received: DomainEvent[]) {
      if ((await events.receive(received)) > 0) onReceived();
    },
    logger,
    metrics,
  });
}
