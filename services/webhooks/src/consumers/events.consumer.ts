import type { DomainEvent } from '@frontdesk/contracts';
import { type ConsumerDeps, createConsumer, type EventConsumer } from '@frontdesk/events';
import { WEBHOOKS_GROUP } from '../data/delivery-gap.repository.ts';
import { WEBHOOK_TOPICS } from '../domain/webhook-topics.ts';
import { type Intake, takeInEvents } from '../use-cases/take-in-events.ts';
import { mergeCalls } from './merge-calls.ts';

/** Of several partitions, taken in at once. */
const MAX_EVENTS = 500;

/** Takes every webhook event in. */
export const eventsConsumer = (intake: Intake, deps: ConsumerDeps): EventConsumer =>
  createConsumer({
    ...deps,
    group: WEBHOOKS_GROUP,
    topics: WEBHOOK_TOPICS,
    apply: mergeCalls((events: DomainEvent[]) => takeInEvents(events, intake), MAX_EVENTS),
  });
