import type { DomainEvent } from '@frontdesk/contracts';
import { createEventRepository } from '../../../services/webhooks/src/data/event.repository.ts';
import type { DeliveryEngine } from '../../../services/webhooks/src/workers/delivery.worker.ts';
import type { DeliveryWorld } from './delivery-world.ts';
import { customerEvent } from './sample-events.ts';

/** Takes events in as a process does that sends deliveries as well. */
export async function takeIn(
  { database }: DeliveryWorld,
  engine: DeliveryEngine,
  ...events: DomainEvent[]
): Promise<void> {
  for await (const { claims, waiting } of createEventRepository(database).receive(events, engine.lender)) {
    engine.send(claims);
    if (waiting > 0) engine.wake();
  }
}

/** An event whose body is so long, and some more. */
export function largeEvent(tenantId: number, bytes: number): DomainEvent {
  const event = customerEvent(tenantId);
  return { ...event, data: { ...event.data, notes: 'x'.repeat(bytes) } };
}
