import type { CanonicalWebhookEvent, DomainEvent, WebhookEventName } from '@frontdesk/contracts';
import type { SubscribedEndpoint } from '../endpoints/subscription.rules.ts';
import { deliveredName, isCanonical } from '../endpoints/subscription.rules.ts';
import { bodyOf } from './payload.rules.ts';

/** What is kept of an event, under its own name. */
interface StoredEvent {
  tenantId: number;
  eventId: string;
  name: CanonicalWebhookEvent;
  sequence: number;
  occurredAt: string;
  body: string;
}

interface PlannedDelivery {
  endpoint: SubscribedEndpoint;
  /** Under which it is sent. */
  name: WebhookEventName;
  /** Where its event is among the events, from 1. */
  eventPosition: number;
  /** Of what took the event in, where that is traced. */
  traceparent: string | null;
}

/** The endpoints that deliveries are planned by, and the tenants whose endpoints must still be these when they are written. */
export interface Basis {
  checkedTenantIds: readonly number[];
  endpoints: readonly SubscribedEndpoint[];
}

/** What is taken in at once. */
export interface Portion {
  events: StoredEvent[];
  deliveries: PlannedDelivery[];
}

/** Of one portion, unless a single event goes beyond it. */
export interface PortionLimits {
  deliveries: number;
  bytes: number;
}

/**
 * Which events to keep and whom to deliver them to, in portions: who has many endpoints makes many of a few events. An event
 * is kept even where nobody subscribed: an endpoint that was paused can have it later. Events that are no webhook events are skipped.
 */
export function* fanOut(
  events: readonly DomainEvent[],
  endpoints: readonly SubscribedEndpoint[],
  limits: PortionLimits,
): Generator<Portion> {
  const endpointsOf = Map.groupBy(endpoints, (endpoint) => endpoint.tenant_id);
  const seen = new Set<string>();
  let portion: Portion = { events: [], deliveries: [] };
  let bytes = 0;

  for (const event of events) {
    const { type, tenant_id: tenantId, event_id: eventId, traceparent = null } = event;
    if (!isCanonical(type) || seen.has(`${tenantId}:${eventId}`)) continue;
    seen.add(`${tenantId}:${eventId}`);

    const body = bodyOf(event, type);
    const receivers = (endpointsOf.get(tenantId) ?? []).flatMap((endpoint) => {
      const name = deliveredName(type, endpoint.events);
      return name === null ? [] : [{ endpoint, name }];
    });
    const isFull =
      portion.deliveries.length + receivers.length > limits.deliveries ||
      bytes + Buffer.byteLength(body) > limits.bytes;
    if (isFull && portion.events.length > 0) {
      yield portion;
      portion = { events: [], deliveries: [] };
      bytes = 0;
    }
    const { aggregate_version: sequence, occurred_at: occurredAt } = event;
    const eventPosition = portion.events.push({ tenantId, eventId, name: type, sequence, occurredAt, body });
    for (const { endpoint, name } of receivers)
      portion.deliveries.push({ endpoint, name, eventPosition, traceparent });
    bytes += Buffer.byteLength(body);
  }
  if (portion.events.length > 0) yield portion;
}
