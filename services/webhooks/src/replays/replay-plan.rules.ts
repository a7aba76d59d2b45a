import { type CanonicalWebhookEvent, WEBHOOK_EVENTS } from '@frontdesk/contracts';
import type { DeliveryRow } from '../deliveries/delivery.rules.ts';
import { deliveredName, isCanonical } from '../endpoints/subscription.rules.ts';

/** An event as the walk comes by it; processes of 0.1.0 stored its other names in rows of their own, which are passed over. */
export interface SeenEvent {
  id: number;
  event_id: string;
  name: string;
  received_at: Date;
}

/** What an endpoint has of an event so far. */
export interface KnownDelivery extends Pick<DeliveryRow, 'id' | 'status'> {
  event_id: string;
}

export interface ReplayPlan {
  /** Events that the endpoint never got. */
  missing: SeenEvent[];
  /** Deliveries to be sent again. */
  again: number[];
  skipped: number;
  /** The last event that this plan covers; null where it covers all that were seen. */
  upTo: number | null;
}

/** The events' own names under which something goes to an endpoint with these subscriptions. */
export function subscribedEvents(subscribed: readonly string[]): CanonicalWebhookEvent[] {
  const canonical = [...new Set(Object.values(WEBHOOK_EVENTS))];
  return canonical.filter((event) => deliveredName(event, subscribed) !== null);
}

/** Those of the events that lie in the window and that the endpoint is subscribed to. */
export function wantedOf(
  seen: readonly SeenEvent[],
  { from, to, subscribed }: { from: Date; to: Date; subscribed: readonly string[] },
): SeenEvent[] {
  return seen.filter(
    ({ name, received_at }) =>
      isCanonical(name) &&
      received_at >= from &&
      received_at < to &&
      deliveredName(name, subscribed) !== null,
  );
}

/** Which existing deliveries are sent again: all that are settled, those that were not delivered, or none. */
export type SentAgain = 'all' | 'undelivered' | 'none';

/** What becomes of these events, in their order, until so many deliveries are to be queued. */
export function planReplay(
  wanted: readonly SeenEvent[],
  known: readonly KnownDelivery[],
  { maxQueued, again }: { maxQueued: number; again: SentAgain },
): ReplayPlan {
  const deliveries = new Map(known.map((delivery) => [delivery.event_id, delivery]));
  const plan: ReplayPlan = { missing: [], again: [], skipped: 0, upTo: null };
  let lastId = (wanted[0]?.id ?? 0) - 1;
  for (const event of wanted) {
    const delivery = deliveries.get(event.event_id);
    const isLeftAlone =
      delivery?.status === 'pending' || (delivery?.status === 'delivered' && again !== 'all');
    if (delivery && again === 'none') {
      // It has had this event: the replay is not about it.
    } else if (isLeftAlone) plan.skipped += 1;
    else if (plan.missing.length + plan.again.length === maxQueued) return { ...plan, upTo: lastId };
    else if (delivery) plan.again.push(delivery.id);
    else plan.missing.push(event);
    lastId = event.id;
  }
  return plan;
}
