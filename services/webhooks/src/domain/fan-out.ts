import type { CanonicalWebhookEvent, DomainEvent, WebhookEventName } from '@frontdesk/contracts';
import type { HeldBody } from './lease.ts';
import { bodyOf } from './payload.ts';
import { deliveredName, isCanonical } from './subscription.ts';

/** An active endpoint. */
export interface SubscribedEndpoint {
  tenant_id: number;
  id: number;
  events: string[];
  version: number;
  consecutive_failures: number;
}

/** What is kept of an event: one body for each name that it is delivered under. */
interface EventBody {
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
  /** Where the body is among the bodies, from 1. */
  bodyPosition: number;
  /** Of all that go out under one name. */
  held: HeldBody;
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
  bodies: EventBody[];
  deliveries: PlannedDelivery[];
}

/** Of one portion, unless a single event goes beyond it. */
export interface PortionLimits {
  deliveries: number;
  bytes: number;
}

/**
 * Which bodies to keep and whom to deliver them to, in portions: who has many endpoints makes many of a few events. An event
 * is kept under its own name even where nobody subscribed: an endpoint that was paused can have it later. Events that are no
 * webhook events are skipped.
 */
export function* fanOut(
  events: readonly DomainEvent[],
  endpoints: readonly SubscribedEndpoint[],
  limits: PortionLimits,
): Generator<Portion> {
  const endpointsOf = Map.groupBy(endpoints, (endpoint) => endpoint.tenant_id);
  const seen = new Set<string>();
  let portion: Portion = { bodies: [], deliveries: [] };
  let bytes = 0;

  for (const event of events) {
    const { type, tenant_id: tenantId, event_id: eventId } = event;
    if (!isCanonical(type) || seen.has(`${tenantId}:${eventId}`)) continue;
    seen.add(`${tenantId}:${eventId}`);

    const own = planEvent(event, type, endpointsOf.get(tenantId) ?? []);
    const ownBytes = own.bodies.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
    const isFull =
      portion.deliveries.length + own.deliveries.length > limits.deliveries ||
      bytes + ownBytes > limits.bytes;
    if (isFull && portion.bodies.length > 0) {
      yield portion;
      portion = { bodies: [], deliveries: [] };
      bytes = 0;
    }
    const before = portion.bodies.length;
    portion.bodies.push(...own.bodies);
    for (const delivery of own.deliveries) {
      delivery.bodyPosition += before;
      portion.deliveries.push(delivery);
    }
    bytes += ownBytes;
  }
  if (portion.bodies.length > 0) yield portion;
}

function planEvent(
  event: DomainEvent,
  type: CanonicalWebhookEvent,
  endpoints: readonly SubscribedEndpoint[],
): Portion {
  const { tenant_id: tenantId, event_id: eventId } = event;
  const bodies: EventBody[] = [];
  const deliveries: PlannedDelivery[] = [];
  const positions = new Map<WebhookEventName, number>();
  const helds = new Map<number, HeldBody>();
  const positionOf = (name: WebhookEventName) =>
    positions.getOrInsertComputed(name, () =>
      bodies.push({
        ...{ tenantId, eventId, name, isCanonical: name === type },
        ...{ sequence: event.aggregate_version, occurredAt: event.occurred_at, body: bodyOf(event, name) },
      }),
    );
  positionOf(type);
  for (const endpoint of endpoints) {
    const name = deliveredName(type, endpoint.events);
    if (name === null) continue;
    const bodyPosition = positionOf(name);
    const { body } = bodies[bodyPosition - 1] as EventBody;
    const held = helds.getOrInsertComputed(bodyPosition, () => ({
      bytes: Buffer.byteLength(body),
      holders: 0,
    }));
    const { traceparent = null } = event;
    deliveries.push({ endpoint, eventId, name, bodyPosition, held, traceparent });
  }
  return { bodies, deliveries };
}
