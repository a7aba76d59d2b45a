import { type ConsumerDeps, createConsumer, type EventConsumer } from '@frontdesk/events';
import { type Intake, takeInEvents } from './take-in-events.ts';
import { WEBHOOK_TOPICS, WEBHOOKS_GROUP } from './webhook-topics.rules.ts';

/** Takes every webhook event in. */
export const eventsConsumer = (intake: Intake, deps: ConsumerDeps): EventConsumer =>
  createConsumer({
    ...deps,
    group: WEBHOOKS_GROUP,
    topics: WEBHOOK_TOPICS,
    apply: (events) => takeInEvents(events, intake),
  });
