import type { TenantTransaction } from '@frontdesk/database';
import type { Merge } from '@frontdesk/merges';
import { customerRecord, isSameTotals } from '../customers/customer.rules.ts';
import { moveVisitsOf } from '../customers/merged-customer.repository.ts';
import {
  type CurrentTotals,
  lockVisitedCustomers,
  noteOtherTotals,
  readTotals,
  type Visited,
} from './visit.repository.ts';

/**
 * Changes visits of these customers, and emits `customer.updated` for each whose totals that changes: whoever keeps a copy by events then
 * has what a read shows. Null, and nothing is done, where one of them was merged while this waited for them: it is to be done again.
 */
export async function changeVisits<Result>(
  tx: TenantTransaction,
  visited: Visited,
  change: () => Promise<Result>,
): Promise<{ result: Result } | null> {
  const customers = await lockVisitedCustomers(tx, visited);
  if (customers === null) return null;
  const [before, result, after] = await Promise.all([
    readTotals(tx, customers),
    change(),
    readTotals(tx, customers),
  ]);
  const changed = changedTotals(before, after);
  if (changed.size === 0) return { result };

  for (const row of await noteOtherTotals(tx, [...changed.keys()])) {
    const totals = changed.get(row.id) as CurrentTotals;
    const data = customerRecord(row, totals, totals.currency);
    tx.emit('customer.updated', { aggregateId: row.id, version: row.sequence, data });
  }
  return { result };
}

function changedTotals(before: CurrentTotals[], after: CurrentTotals[]): Map<number, CurrentTotals> {
  const known = new Map(before.map((totals) => [totals.id, totals]));
  const isChanged = (totals: CurrentTotals) => {
    const old = known.get(totals.id);
    return old === undefined || !isSameTotals(old, totals);
  };
  return new Map(after.filter(isChanged).map((totals) => [totals.id, totals]));
}

/** Moves visits of a merged customer that the merge itself left, or that were stored meanwhile. @returns how many */
export async function rewriteVisits(tx: TenantTransaction, { id }: Merge): Promise<number> {
  const visited = { customerIds: [id], appointmentIds: [] };
  for (;;) {
    // Nobody is locked yet if the remaining customer was merged while this waited.
    const moved = await changeVisits(tx, visited, () => moveVisitsOf(tx, id));
    if (moved) return moved.result;
  }
}
