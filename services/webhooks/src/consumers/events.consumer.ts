import type { DomainEvent } from '@frontdesk/contracts';
import { createConsumer, type EventConsumer, type KafkaClient } from '@frontdesk/events';
import type { ConsumerProgress, DeadLetters, ServiceContext } from '@frontdesk/service';
import { WEBHOOKS_GROUP } from '../data/delivery-gap.repository.ts';
import { WEBHOOK_TOPICS } from '../domain/webhook-topics.ts';
import { type Intake, takeInEvents } from '../use-cases/take-in-events.ts';
import { mergeCalls } from './merge-calls.ts';

/** Of several partitions, taken in at once. */
const MAX_EVENTS = 500;

/** Takes every webhook event in. */
export function eventsConsumer(
  deps: { kafka: KafkaClient; intake: Intake; deadLetters: DeadLetters; progress: ConsumerProgress },
  { logger, metrics }: ServiceContext,
): EventConsumer {
  const { kafka, intake, deadLetters, progress } = deps;
  return createConsumer({
    kafka,
    group: WEBHOOKS_GROUP,
    topics: WEBHOOK_TOPICS,
    apply: mergeCalls((events: DomainEvent[]) => takeInEvents(events, intake), MAX_EVENTS),
    deadLetters,
    progress,
    logger,
    metrics,
  });
}
