import type { DomainEvent } from '@frontdesk/contracts';
import { createConsumer, type EventConsumer, type KafkaClient } from '@frontdesk/events';
import type { ConsumerProgress, DeadLetters, ServiceContext } from '@frontdesk/service';
import { WEBHOOKS_GROUP } from '../data/delivery-gap.repository.ts';
import type { EventRepository } from '../data/event.repository.ts';
import { WEBHOOK_TOPICS } from '../domain/webhook-topics.ts';
import type { DeliveryEngine } from '../workers/delivery.worker.ts';
import { mergeCalls } from './merge-calls.ts';

/** Of several partitions, taken in at once. */
const MAX_EVENTS = 500;

/** Takes every webhook event in; `onWaiting` is called after the commit of deliveries that nobody has been given yet. */
export function eventsConsumer(
  deps: {
    kafka: KafkaClient;
    events: EventRepository;
    engine: DeliveryEngine;
    deadLetters: DeadLetters;
    progress: ConsumerProgress;
    onWaiting: () => void;
  },
  { logger, metrics }: ServiceContext,
): EventConsumer {
  const { kafka, events, engine, deadLetters, progress, onWaiting } = deps;
  const takeIn = async (received: DomainEvent[]) => {
    for await (const { claims, waiting } of events.receive(received, engine.lender)) {
      engine.send(claims);
      if (waiting > 0) onWaiting();
    }
  };
  return createConsumer({
    kafka,
    group: WEBHOOKS_GROUP,
    topics: WEBHOOK_TOPICS,
    apply: mergeCalls(takeIn, MAX_EVENTS),
    deadLetters,
    progress,
    logger,
    metrics,
  });
}
