import type { CallSentiment } from '@frontdesk/contracts';
import { type TenantReads, tenantSql } from '@frontdesk/database';

/** How many calls of a day were alike in this; `day` counts from 1. */
export interface CallCount {
  day: number;
  is_missed: boolean;
  sentiment: CallSentiment | null;
  calls: number;
}

// By boundaries rather than by a zone's name: which zones there are, and their rules, are this process's to say.
const countByDay = tenantSql<CallCount, [midnights: Date[], from: Date, until: Date]>(
  'calls_by_day',
  `select width_bucket(started_at, $2::timestamptz[]) as day, is_missed, sentiment, count(*) as calls
   from calls
   where tenant_id = $1 and is_complete and not is_test and started_at >= $3 and started_at < $4
   group by 1, 2, 3`,
);

/** Counts by the days that lie between these instants, without tests. One query, all from an index. */
export const countCallsByDay = (db: TenantReads, midnights: readonly Date[]): Promise<CallCount[]> =>
  db.many(countByDay, [...midnights], midnights[0] as Date, midnights.at(-1) as Date);
