import type { Database } from '@frontdesk/database';
import {
  createConsumer,
  type EventConsumer,
  eventsOf,
  type KafkaClient,
  latestPerAggregate,
} from '@frontdesk/events';
import type { ConsumerProgress, DeadLetters, ServiceContext } from '@frontdesk/service';
import { saveVisits } from '../data/visit.repository.ts';
import { toVisit } from '../domain/visit.ts';

/** Keeps `visits` level with the appointments that scheduling owns. */
export function appointmentsConsumer(
  deps: {
    database: Database;
    kafka: KafkaClient;
    deadLetters: DeadLetters;
    progress: ConsumerProgress;
    onGap: () => Promise<void>;
  },
  { logger, metrics }: ServiceContext,
): EventConsumer {
  return createConsumer({
    kafka: deps.kafka,
    group: 'crm.appointments',
    topics: ['appointments'],
    apply: (events) =>
      saveVisits(deps.database.system, latestPerAggregate(eventsOf('appointments', events)).map(toVisit)),
    onGap: deps.onGap,
    deadLetters: deps.deadLetters,
    progress: deps.progress,
    logger,
    metrics,
  });
}
