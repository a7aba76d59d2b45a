import type { SystemScope } from '@frontdesk/database';
import type { ServiceClient } from '@frontdesk/service';
import { createProjection, type Wiring } from '@frontdesk/wiring';
import { customerRecord, isSameTotals } from '../customers/customer.rules.ts';
import {
  type CurrentTotals,
  hasVisits,
  lockVisitedCustomers,
  noteOtherTotals,
  readTotals,
  saveVisits,
} from './visit.repository.ts';
import { type VisitRow, visitOf } from './visit.rules.ts';

/** `visits`: the appointments that scheduling owns, as far as they count for a customer. */
export const visitsProjection = (wiring: Wiring, scheduling: ServiceClient) => {
  const { system } = wiring.database;
  return createProjection(wiring, {
    name: 'visits',
    topic: 'appointments',
    owner: scheduling,
    store: (entries) => takeInVisits(system, entries.map(visitOf)),
    // Visits may be lost without their mark, where a table is restored or emptied by hand.
    isEmpty: async () => !(await hasVisits(system)),
  });
};

const keyOf = ({ tenant_id, id }: { tenant_id: number; id: number }) => `${tenant_id}:${id}`;

/**
 * Stores what is newer of these visits, and emits `customer.updated` for each customer whose totals that changes: whoever keeps a copy
 * by events then has what a read shows. At most one entry for each appointment.
 */
export async function takeInVisits(
  system: Pick<SystemScope, 'transaction'>,
  visits: VisitRow[],
): Promise<void> {
  for (const ofTenant of Map.groupBy(visits, (visit) => visit.tenant_id).values())
    await takeInOfTenant(system, ofTenant);
}

/** A transaction of its own for each tenant: one that holds a customer for long then holds up no other tenant's. */
async function takeInOfTenant(system: Pick<SystemScope, 'transaction'>, visits: VisitRow[]): Promise<void> {
  await system.transaction(async (tx) => {
    const customers = await lockVisitedCustomers(tx, visits);
    const [before, , after] = await Promise.all([
      readTotals(tx, customers),
      saveVisits(tx, visits),
      readTotals(tx, customers),
    ]);
    const changed = changedTotals(before, after);
    if (changed.size === 0) return;

    for (const row of await noteOtherTotals(tx, [...changed.values()])) {
      const totals = changed.get(keyOf(row)) as CurrentTotals;
      const data = customerRecord(row, totals, totals.currency);
      tx.emit(row.tenant_id, 'customer.updated', { aggregateId: row.id, version: row.sequence, data });
    }
  });
}

function changedTotals(before: CurrentTotals[], after: CurrentTotals[]): Map<string, CurrentTotals> {
  const known = new Map(before.map((totals) => [keyOf(totals), totals]));
  const isChanged = (totals: CurrentTotals) => {
    const old = known.get(keyOf(totals));
    return old === undefined || !isSameTotals(old, totals);
  };
  return new Map(after.filter(isChanged).map((totals) => [keyOf(totals), totals]));
}
