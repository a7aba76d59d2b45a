import type { Database } from '@frontdesk/database';
import type { ServiceClient } from '@frontdesk/service';
import { createProjection, type Wiring } from '@frontdesk/wiring';
import { changeVisits } from './change-visits.ts';
import { hasVisits, saveVisits } from './visit.repository.ts';
import { type VisitRow, visitOf } from './visit.rules.ts';

/** `visits`: the appointments that scheduling owns, as far as they count for a customer. */
export const visitsProjection = (wiring: Wiring, scheduling: ServiceClient) => {
  const { database } = wiring;
  return createProjection(wiring, {
    name: 'visits',
    topic: 'appointments',
    owner: scheduling,
    store: (entries) => takeInVisits(database, entries.map(visitOf)),
    // Visits may be lost without their mark, where a table is restored or emptied by hand.
    isEmpty: async () => !(await hasVisits(database.system)),
  });
};

/** Stores what is newer of these visits, and emits what that changes of customers. At most one entry for each appointment. */
export async function takeInVisits(
  database: Pick<Database, 'forTenantInBackground'>,
  visits: VisitRow[],
): Promise<void> {
  for (const [tenantId, ofTenant] of Map.groupBy(visits, (visit) => visit.tenant_id)) {
    const visited = {
      customerIds: ofTenant.map(({ customer_id }) => customer_id),
      appointmentIds: ofTenant.map(({ appointment_id }) => appointment_id),
    };
    // One transaction for each tenant, so that no tenant waits for another's customers. After a merge meanwhile a new one begins: to lock
    // one more customer out of order could deadlock.
    const takeIn = () =>
      database
        .forTenantInBackground(tenantId)
        .transaction((tx) => changeVisits(tx, visited, () => saveVisits(tx, ofTenant)));
    while ((await takeIn()) === null);
  }
}
