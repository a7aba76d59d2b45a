import type { DomainEvent } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { listActiveEndpoints } from '../../../services/webhooks/src/endpoints/endpoint.repository.ts';
import { createKnownEndpoints } from '../../../services/webhooks/src/events/known-endpoints.cache.ts';
import { takeInEvents } from '../../../services/webhooks/src/events/take-in-events.ts';
import type { DeliveryEngine } from '../../../services/webhooks/src/sending/delivery-engine.ts';
import { customerEvent } from './sample-events.ts';
import { watched } from './watched-system.ts';

/** Takes events in as one process does, which remembers endpoints. @returns how many deliveries each portion made */
export function createIntake(database: Pick<Database, 'system'>, onQueued: () => void = () => {}) {
  const endpoints = createKnownEndpoints((tenantIds) => listActiveEndpoints(database.system, tenantIds));
  return async (...received: DomainEvent[]): Promise<number[]> => {
    const counts: number[] = [];
    await takeInEvents(received, {
      endpoints,
      onQueued,
      system: watched(database.system, (statement, answer) => {
        const kept = answer as { is_stale: boolean; deliveries: number };
        if (statement === 'events_receive' && !kept.is_stale) counts.push(kept.deliveries);
      }),
    });
    return counts;
  };
}

/** Takes events in as a process that has just begun, and that sends deliveries as well. */
export async function takeIn(
  { database }: { database: Pick<Database, 'system'> },
  engine: DeliveryEngine,
  ...events: DomainEvent[]
): Promise<void> {
  await createIntake(database, engine.wake)(...events);
}

/** An event whose body is so long, and some more. */
export function largeEvent(tenantId: number, bytes: number): DomainEvent {
  const event = customerEvent(tenantId);
  return { ...event, data: { ...event.data, notes: 'x'.repeat(bytes) } };
}
