import {
  allowsEvent,
  type CanonicalWebhookEvent,
  type EndpointScope,
  WEBHOOK_EVENTS,
  type WebhookEventName,
} from '@frontdesk/contracts';

/** An active endpoint. */
export interface SubscribedEndpoint {
  tenant_id: number;
  id: number;
  /** As far as its scopes open them. */
  events: string[];
  version: number;
}

const NAMES = Object.keys(WEBHOOK_EVENTS) as WebhookEventName[];

/** Every name that an event may be delivered under, the canonical one first. */
const namesOf = Object.groupBy(
  NAMES.toSorted((a, b) => Number(isCanonical(b)) - Number(isCanonical(a))),
  (name) => WEBHOOK_EVENTS[name],
);

export function isCanonical(name: string): name is CanonicalWebhookEvent {
  return name in WEBHOOK_EVENTS && WEBHOOK_EVENTS[name as WebhookEventName] === name;
}

/** What an endpoint is sent. A process of 0.1.0 may subscribe it to more than its scopes open. */
export const allowedEvents = ({ events, scopes }: { events: string[]; scopes: EndpointScope[] }): string[] =>
  events.filter((name) => allowsEvent((scope) => scopes.includes(scope), name));

/**
 * The name under which an endpoint gets an event, or null where it isn't subscribed. Aliases are delivered under the
 * name subscribed to; an endpoint that names both gets the canonical one, once.
 */
export function deliveredName(
  event: CanonicalWebhookEvent,
  subscribed: readonly string[],
): WebhookEventName | null {
  return namesOf[event]?.find((name) => subscribed.includes(name)) ?? null;
}
