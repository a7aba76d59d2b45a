import type { ListCalls } from '@frontdesk/contracts';
import { type TenantReads, type TenantTransaction, tenantSql } from '@frontdesk/database';
import type { CallState } from '../domain/call-state.ts';

type Facets = Pick<CallState, 'direction' | 'is_missed' | 'outcome' | 'sentiment'>;
type FacetFilters = Pick<ListCalls, 'direction' | 'missed' | 'outcome' | 'sentiment'>;

/** The counter of complete calls with this direction, outcome and sentiment, missed or not. */
const counterOf = ({ direction, is_missed, outcome, sentiment }: Facets) =>
  ['calls', direction, is_missed, outcome, sentiment ?? 'none'].join('/');

const sum = tenantSql<{ total: number }, [counters: string]>(
  'calls_total',
  `select coalesce(sum(delta), 0)::bigint as total from counts where tenant_id = $1 and counter like $2`,
);

/** How many calls these filters let through: a sum of a few counters, however many calls there are. */
export async function countCalls(db: TenantReads, filters: FacetFilters): Promise<number> {
  const { direction = '%', missed = '%', outcome = '%', sentiment = '%' } = filters;
  const { total } = await db.one(sum, ['calls', direction, missed, outcome, sentiment].join('/'));
  return total;
}

/** Counts a call from when it is complete, and anew where it changes to what is counted elsewhere. */
export function countCall(tx: TenantTransaction, before: CallState, after: CallState): void {
  const [from, to] = [before, after].map((state) => (state.is_complete ? counterOf(state) : null));
  if (from === to) return;
  if (from) tx.addToCount(from, -1);
  if (to) tx.addToCount(to, 1);
}
