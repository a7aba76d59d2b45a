import { setTimeout as delay } from 'node:timers/promises';
import type { DomainEvent } from '@frontdesk/contracts';
import type { KafkaPublisher } from '@frontdesk/events';
import { eventOf, recordOf, sampleAppointment } from '../../support/index.ts';

const PACE_MS = 80;
const RETRY_MS = 100;

export interface SteadyEvents {
  /** What Kafka has acknowledged so far. */
  acknowledged: DomainEvent[];
  /** Once the last event is acknowledged. */
  stop(): Promise<void>;
  /** At once, whether Kafka is there or not. */
  giveUp(): Promise<void>;
}

/** An event of every tenant each 80 ms, each published until it is acknowledged, as an outbox relay does it. */
export function publishSteadily(publisher: KafkaPublisher, tenantIds: readonly number[]): SteadyEvents {
  const acknowledged: DomainEvent[] = [];
  let isStopping = false;
  let isGivenUp = false;

  const publish = async (events: DomainEvent[]) => {
    while (!isGivenUp) {
      try {
        await publisher.publish(events.map(recordOf));
        acknowledged.push(...events);
        return;
      } catch {
        await delay(RETRY_MS);
      }
    }
  };
  const run = async () => {
    for (let id = 1; !isStopping; id += 1) {
      const events = tenantIds.map((tenantId) =>
        eventOf('appointment.created', tenantId, sampleAppointment({ id })),
      );
      await publish(events);
      await delay(PACE_MS);
    }
  };
  const running = run();

  return {
    acknowledged,
    async stop() {
      isStopping = true;
      await running;
    },
    async giveUp() {
      isStopping = true;
      isGivenUp = true;
      await running;
    },
  };
}
