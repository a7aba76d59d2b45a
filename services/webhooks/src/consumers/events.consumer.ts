import { createConsumer, type KafkaClient } from '@frontdesk/events';
import type { Part, ServiceContext } from '@frontdesk/service';
import type { EventRepository } from '../data/event.repository.ts';

/** Takes every webhook event in; `onReceived` is called after the commit of deliveries to be made. */
export function eventsConsumer(
  deps: { kafka: KafkaClient; events: EventRepository; onReceived: () => void },
  { logger, metrics }: ServiceContext,
): Part {
  const { kafka, events, onReceived } = deps;
  return createConsumer({
    kafka,
    group: 'webhooks',
    topics: ['customers', 'appointments'],
    async apply(received) {
      if ((await events.receive(received)) > 0) onReceived();
    },
    logger,
    metrics,
  });
}
