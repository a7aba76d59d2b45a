import type { DomainEvent } from '@frontdesk/contracts';
import { createConsumer, type EventConsumer, type KafkaClient } from '@frontdesk/events';
import type { DeadLetters, ServiceContext } from '@frontdesk/service';
import { type Intake, takeInEvents } from '../use-cases/take-in-events.ts';
import { mergeCalls } from './merge-calls.ts';

/** Of several partitions, taken in at once. */
const MAX_EVENTS = 500;

/** Takes every webhook event in. */
export function eventsConsumer(
  { kafka, intake, deadLetters }: { kafka: KafkaClient; intake: Intake; deadLetters: DeadLetters },
  { logger, metrics }: ServiceContext,
): EventConsumer {
  return createConsumer({
    kafka,
    group: 'webhooks',
    topics: ['customers', 'appointments', 'calls'],
    apply: mergeCalls((events: DomainEvent[]) => takeInEvents(events, intake), MAX_EVENTS),
    deadLetters,
    logger,
    metrics,
  });
}
