import { type Chassis, createProjection } from '@frontdesk/chassis';
import type { ServiceClient } from '@frontdesk/service';
import { hasVisits } from '../data/visit.repository.ts';
import { visitOf } from '../domain/visit.ts';
import { takeInVisits } from '../use-cases/take-in-visits.ts';

/** `visits`: the appointments that scheduling owns, as far as they count for a customer. */
export const visitsProjection = (chassis: Chassis, scheduling: ServiceClient) => {
  const { system } = chassis.database;
  return createProjection(chassis, {
    name: 'visits',
    topic: 'appointments',
    owner: scheduling,
    store: (entries) => takeInVisits(system, entries.map(visitOf)),
    // Visits may be lost without their mark, where a table is restored or emptied by hand.
    isEmpty: async () => !(await hasVisits(system)),
  });
};
