import { appointmentSchema } from '@frontdesk/contracts';
import { type Database, NEVER_FILLED, projectionState } from '@frontdesk/database';
import { createRefill, type Refill, snapshotPages } from '@frontdesk/events';
import type { DeadLetters, Logger, ServiceClient } from '@frontdesk/service';
import { hasVisits, saveVisits } from '../data/visit.repository.ts';
import { toVisit } from '../domain/visit.ts';

/** Fills empty `visits`, and those that Kafka has lost something of, with the appointments from before Kafka's memory, as scheduling holds them. */
export function visitsRefill(deps: {
  database: Database;
  scheduling: ServiceClient;
  deadLetters: DeadLetters;
  logger: Logger;
}): Refill {
  const { database, scheduling, deadLetters, logger } = deps;
  const state = projectionState(database, 'visits');
  const fetchPage = snapshotPages(scheduling, 'appointments', appointmentSchema);
  return createRefill({
    name: 'visits',
    // Visits may be lost without their mark, where a table is restored or emptied by hand.
    state: {
      ...state,
      lack: async () => (await state.lack()) ?? ((await hasVisits(database.system)) ? null : NEVER_FILLED),
    },
    fetchPage,
    apply: (entries) => saveVisits(database.system, entries.map(toVisit)),
    deadLetters,
    logger,
  });
}
