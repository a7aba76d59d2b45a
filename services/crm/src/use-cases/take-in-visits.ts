import type { SystemScope } from '@frontdesk/database';
import { saveVisits } from '../data/visit.repository.ts';
import {
  type CurrentTotals,
  lockVisitedCustomers,
  noteOtherTotals,
  readTotals,
} from '../data/visited-customer.repository.ts';
import { customerRecord, isSameTotals } from '../domain/customer.ts';
import type { VisitRow } from '../domain/visit.ts';

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
