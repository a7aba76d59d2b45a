import { appointmentSchema, snapshotEntry } from '@frontdesk/contracts';
import { type Database, projectionState } from '@frontdesk/database';
import { createRefill } from '@frontdesk/events';
import type { Logger, Part, ServiceClient } from '@frontdesk/service';
import { z } from 'zod';
import { saveVisits } from '../data/visit.repository.ts';
import { toVisit } from '../domain/visit.ts';

const page = z.array(snapshotEntry(appointmentSchema));

/** Fills empty `visits` with the appointments from before Kafka's memory, as scheduling holds them. */
export function visitsRefill(deps: { database: Database; scheduling: ServiceClient; logger: Logger }): Part {
  const { database, scheduling, logger } = deps;
  return createRefill({
    name: 'visits',
    state: projectionState(database, 'visits'),
    fetchPage: ({ tenantId, id }) =>
      scheduling.request({
        method: 'GET',
        path: `/internal/snapshots/appointments?after_tenant=${tenantId}&after_id=${id}`,
        schema: page,
      }),
    apply: (entries) => saveVisits(database.system, entries.map(toVisit)),
    logger,
  });
}
