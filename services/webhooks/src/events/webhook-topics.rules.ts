import { EVENT_TYPES, type Topic, WEBHOOK_EVENT_NAMES, WEBHOOK_EVENTS } from '@frontdesk/contracts';

/** The consumer of these topics. What it misses is missed by deliveries. */
export const WEBHOOKS_GROUP = 'webhooks';

/** The topics whose events become webhooks. */
export const WEBHOOK_TOPICS = ['customers', 'appointments', 'calls'] as const satisfies readonly Topic[];
export type WebhookTopic = (typeof WEBHOOK_TOPICS)[number];

/** The names under which endpoints subscribe to events of a topic. */
export const namesOfTopic = (topic: WebhookTopic) =>
  WEBHOOK_EVENT_NAMES.filter((name) => EVENT_TYPES[WEBHOOK_EVENTS[name]].topic === topic);
