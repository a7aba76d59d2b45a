import { type ConsumerDeps, createConsumer, type EventConsumer } from '@frontdesk/events';
import { WEBHOOKS_GROUP } from '../data/delivery-gap.repository.ts';
import { WEBHOOK_TOPICS } from '../domain/webhook-topics.ts';
import { type Intake, takeInEvents } from '../use-cases/take-in-events.ts';

/** Takes every webhook event in. */
export const eventsConsumer = (intake: Intake, deps: ConsumerDeps): EventConsumer =>
  createConsumer({
    ...deps,
    group: WEBHOOKS_GROUP,
    topics: WEBHOOK_TOPICS,
    apply: (events) => takeInEvents(events, intake),
  });
