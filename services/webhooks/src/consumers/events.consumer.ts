import { createConsumer, type KafkaClient } from '@frontdesk/events';
import type { Part, ServiceContext } from '@frontdesk/service';
import type { EventRepository } from '../data/event.repository.ts';
import type { DeliveryEngine } from '../workers/delivery.worker.ts';

/** Takes every webhook event in; `onWaiting` is called after the commit of deliveries that nobody has been given yet. */
export function eventsConsumer(
  deps: { kafka: KafkaClient; events: EventRepository; engine: DeliveryEngine; onWaiting: () => void },
  { logger, metrics }: ServiceContext,
): Part {
  const { kafka, events, engine, onWaiting } = deps;
  return createConsumer({
    kafka,
    group: 'webhooks',
    topics: ['customers', 'appointments', 'calls'],
    async apply(received) {
      const { claims, waiting } = await events.receive(received, engine.lender);
      engine.send(claims);
      if (waiting > 0) onWaiting();
    },
    logger,
    metrics,
  });
}
