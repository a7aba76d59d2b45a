import type { CallDirection, CallSentiment, ListCalls } from '@frontdesk/contracts';
import { type TenantReads, type TenantTransaction, tenantSql } from '@frontdesk/database';
import type { CallState } from './call-state.rules.ts';

type Facets = Pick<CallState, 'direction' | 'is_missed' | 'outcome' | 'sentiment'>;
type FacetFilters = Pick<ListCalls, 'direction' | 'missed' | 'outcome' | 'sentiment'>;

/** The counter of complete calls with this direction, outcome and sentiment, missed or not. */
const counterOf = ({ direction, is_missed, outcome, sentiment }: Facets) =>
  ['calls', direction, is_missed, outcome, sentiment ?? 'none'].join('/');

const sum = tenantSql<{ total: number }, { counters: string }>(
  'calls_total',
  `select coalesce(sum(delta), 0)::bigint as total from counts where tenant_id = $tenantId and counter like $counters`,
);

/** How many calls these filters let through: a sum of a few counters, however many calls there are. */
export async function countCalls(db: TenantReads, filters: FacetFilters): Promise<number> {
  const { direction = '%', missed = '%', outcome = '%', sentiment = '%' } = filters;
  const { total } = await db.one(sum, {
    counters: ['calls', direction, missed, outcome, sentiment].join('/'),
  });
  return total;
}

/** Counts a call from when it is complete, and anew where it changes to what is counted elsewhere. */
export function countCall(tx: TenantTransaction, before: CallState, after: CallState): void {
  const [from, to] = [before, after].map((state) => (state.is_complete ? counterOf(state) : null));
  if (from === to) return;
  if (from) tx.addToCount(from, -1);
  if (to) tx.addToCount(to, 1);
}

/** How many calls of a day were alike in this; `day` counts from 1. */
export interface CallCount {
  day: number;
  direction: CallDirection;
  is_missed: boolean;
  sentiment: CallSentiment | null;
  calls: number;
}

// Days are given as instants, not as a zone's name: this process decides by its own time zone data, and not by
// PostgreSQL's.
const countByDay = tenantSql<CallCount, { midnights: Date[]; from: Date; until: Date }>(
  'calls_by_day',
  `select width_bucket(started_at, $midnights::timestamptz[]) as day, direction, is_missed, sentiment, count(*) as calls
   from calls
   where tenant_id = $tenantId and is_complete and not is_test and started_at >= $from and started_at < $until
   group by 1, 2, 3, 4`,
);

/** Counts by the days that lie between these instants, without tests. One query, all from an index. */
export const countCallsByDay = (db: TenantReads, midnights: readonly Date[]): Promise<CallCount[]> =>
  db.many(countByDay, {
    midnights: [...midnights],
    from: midnights[0] as Date,
    until: midnights.at(-1) as Date,
  });
