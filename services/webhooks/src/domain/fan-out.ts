import type { CanonicalWebhookEvent, DomainEvent, WebhookEventName } from '@frontdesk/contracts';
import { bodyOf } from './payload.ts';
import { deliveredName, isCanonical } from './subscription.ts';

export interface SubscribedEndpoint {
  tenant_id: number;
  id: number;
  events: string[];
}

/** What is kept of an event: one body for each name that it is delivered under. */
export interface EventBody {
  tenantId: number;
  eventId: string;
  name: WebhookEventName;
  sequence: number;
  occurredAt: string;
  body: string;
}

export interface PlannedDelivery {
  tenantId: number;
  endpointId: number;
  eventId: string;
  event: CanonicalWebhookEvent;
  name: WebhookEventName;
}

/**
 * Which bodies to keep and whom to deliver them to. An event is kept under its own name even where nobody subscribed:
 * that row is what tells a second arrival of the event from the first. Events that are no webhook events are skipped.
 */
export function fanOut(
  events: readonly DomainEvent[],
  endpoints: readonly SubscribedEndpoint[],
): { bodies: EventBody[]; deliveries: PlannedDelivery[] } {
  const endpointsOf = Map.groupBy(endpoints, (endpoint) => endpoint.tenant_id);
  const bodies = new Map<string, EventBody>();
  const deliveries: PlannedDelivery[] = [];

  const keep = (event: DomainEvent, name: WebhookEventName) => {
    const key = `${event.tenant_id}:${event.event_id}:${name}`;
    if (bodies.has(key)) return false;
    bodies.set(key, {
      tenantId: event.tenant_id,
      eventId: event.event_id,
      name,
      sequence: event.aggregate_version,
      occurredAt: event.occurred_at,
      body: bodyOf(event, name),
    });
    return true;
  };

  for (const event of events) {
    if (!isCanonical(event.type)) continue;
    const isFirstArrival = keep(event, event.type);
    if (!isFirstArrival) continue;
    for (const endpoint of endpointsOf.get(event.tenant_id) ?? []) {
      const name = deliveredName(event.type, endpoint.events);
      if (name === null) continue;
      keep(event, name);
      deliveries.push({
        tenantId: event.tenant_id,
        endpointId: endpoint.id,
        eventId: event.event_id,
        event: event.type,
        name,
      });
    }
  }
  return { bodies: [...bodies.values()], deliveries };
}
