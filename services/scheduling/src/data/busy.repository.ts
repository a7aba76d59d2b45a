import { tenantSql } from '@frontdesk/database';
import type { Interval } from '../domain/interval.ts';
import { HOLDS_SLOT } from './appointment.repository.ts';
import type { TenantReads } from './tenant-reads.ts';

/** What appointments occupy, as JSON: in epoch ms, sorted by start. */
export type BusyList = [start: number, end: number][];

/** The aggregate of `BusyList` over rows of appointments. */
export const BUSY_LIST = `json_agg(json_build_array(
    extract(epoch from lower(occupied))::float8 * 1000, extract(epoch from upper(occupied))::float8 * 1000) order by lower(occupied))`;

export const busyIntervalsOf = (list: BusyList | null): Interval[] =>
  (list ?? []).map(([start, end]) => ({ start, end }));

const findBusy = tenantSql<
  { resource_id: number; busy: BusyList },
  [resourceIds: number[], from: Date, until: Date, exceptAppointmentId: number | null]
>(
  'busy_find',
  `select resource_id, ${BUSY_LIST} as busy
   from appointments
   where tenant_id = $1 and resource_id = any($2::bigint[]) and occupied && tstzrange($3, $4)
     and ${HOLDS_SLOT} and ($5::bigint is null or id <> $5)
   group by resource_id`,
);

/** What appointments occupy within the stretch, by resource, sorted by start. One query, however many resources. */
export async function busyIntervals(
  db: TenantReads,
  resourceIds: number[],
  within: Interval,
  exceptAppointmentId: number | null = null,
): Promise<Map<number, Interval[]>> {
  const rows = await db.many(
    findBusy,
    resourceIds,
    new Date(within.start),
    new Date(within.end),
    exceptAppointmentId,
  );
  return new Map(rows.map(({ resource_id, busy }) => [resource_id, busyIntervalsOf(busy)]));
}
