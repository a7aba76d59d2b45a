import type { DomainEvent, WebhookEventName } from '@frontdesk/contracts';
import { bodyOf } from './payload.ts';
import { deliveredName, isCanonical } from './subscription.ts';

/** An active endpoint, with all that it takes to deliver to it. */
export interface SubscribedEndpoint {
  tenant_id: number;
  id: number;
  events: string[];
  url: string;
  secret: string;
  previous_secret: string | null;
  consecutive_failures: number;
}

/** What is kept of an event: one body for each name that it is delivered under. */
export interface EventBody {
  tenantId: number;
  eventId: string;
  name: WebhookEventName;
  /** Whether this is the event's own name, and no alias. */
  isCanonical: boolean;
  sequence: number;
  occurredAt: string;
  body: string;
}

export interface PlannedDelivery {
  endpoint: SubscribedEndpoint;
  eventId: string;
  name: WebhookEventName;
  body: string;
  /** Where the body is among the bodies, from 1. */
  bodyPosition: number;
}

/**
 * Which bodies to keep and whom to deliver them to. An event is kept under its own name even where nobody subscribed: an
 * endpoint that was paused can have it later. Events that are no webhook events are skipped.
 */
export function fanOut(
  events: readonly DomainEvent[],
  endpoints: readonly SubscribedEndpoint[],
): { bodies: EventBody[]; deliveries: PlannedDelivery[] } {
  const endpointsOf = Map.groupBy(endpoints, (endpoint) => endpoint.tenant_id);
  const seen = new Set<string>();
  const bodies: EventBody[] = [];
  const deliveries: PlannedDelivery[] = [];

  for (const event of events) {
    const { type, tenant_id: tenantId, event_id: eventId } = event;
    if (!isCanonical(type) || seen.has(`${tenantId}:${eventId}`)) continue;
    seen.add(`${tenantId}:${eventId}`);

    const positions = new Map<WebhookEventName, number>();
    const positionOf = (name: WebhookEventName) =>
      positions.getOrInsertComputed(name, () =>
        bodies.push({
          ...{ tenantId, eventId, name, isCanonical: name === type },
          ...{ sequence: event.aggregate_version, occurredAt: event.occurred_at, body: bodyOf(event, name) },
        }),
      );
    positionOf(type);
    for (const endpoint of endpointsOf.get(tenantId) ?? []) {
      const name = deliveredName(type, endpoint.events);
      if (name === null) continue;
      const bodyPosition = positionOf(name);
      const { body } = bodies[bodyPosition - 1] as EventBody;
      deliveries.push({ endpoint, eventId, name, body, bodyPosition });
    }
  }
  return { bodies, deliveries };
}
