import type { DomainEvent } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import {
  activeEndpointsIn,
  createEventRepository,
} from '../../../services/webhooks/src/data/event.repository.ts';
import { createKnownEndpoints } from '../../../services/webhooks/src/state/known-endpoints.ts';
import { type PreLeases, takeInEvents } from '../../../services/webhooks/src/use-cases/take-in-events.ts';
import type { DeliveryEngine } from '../../../services/webhooks/src/workers/delivery-engine.ts';
import { customerEvent } from './sample-events.ts';

/** Takes events in as one process does, which remembers endpoints. @returns how many deliveries each portion made */
export function createIntake(
  database: Pick<Database, 'system'>,
  preLeases: PreLeases,
  onWaiting: () => void = () => {},
) {
  const events = createEventRepository(database);
  const endpoints = createKnownEndpoints(activeEndpointsIn(database));
  return async (...received: DomainEvent[]): Promise<number[]> => {
    const counts: number[] = [];
    await takeInEvents(received, {
      ...{ endpoints, preLeases, onWaiting },
      events: {
        async insert(...portion) {
          const kept = await events.insert(...portion);
          if (kept) counts.push(kept.count);
          return kept;
        },
      },
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
  await createIntake(database, engine, engine.wake)(...events);
}

/** An event whose body is so long, and some more. */
export function largeEvent(tenantId: number, bytes: number): DomainEvent {
  const event = customerEvent(tenantId);
  return { ...event, data: { ...event.data, notes: 'x'.repeat(bytes) } };
}
