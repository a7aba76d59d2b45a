import { APPOINTMENT_STATUSES, takesSlot } from '@frontdesk/contracts';
import { type TenantReads, tenantSql } from '@frontdesk/database';
import type { Interval } from '../working-hours/interval.rules.ts';

/** What the constraint keeps apart, as its index spells it: another wording would not be served by it. */
export const KEPT_APART = `status in (${[...APPOINTMENT_STATUSES.filter(takesSlot), 'held']
  .map((status) => `'${status}'`)
  .join(', ')})`;

/** Of a hold whose time is over, and which may not be cleared away yet. */
export const hasExpired = (table: string) =>
  `(${table}.status = 'held' and ${table}.held_until <= statement_timestamp())`;

/** What takes its slot now. */
export const isTaken = (table: string) => `${table}.${KEPT_APART} and not ${hasExpired(table)}`;

/** Starts and ends of what a resource's appointments occupy, in epoch ms. None overlap, so both lists have the same order. */
export interface BusyLists {
  busy_from: number[] | null;
  busy_until: number[] | null;
}

const boundsOf = (bound: 'lower' | 'upper') =>
  `to_json(array_agg(date_part('epoch', ${bound}(occupied)) * 1000 order by starts_at))`;

/** The columns of `BusyLists`, as aggregates over appointments. */
export const BUSY_LISTS = `${boundsOf('lower')} as busy_from, ${boundsOf('upper')} as busy_until`;

/** Sorted by start. */
export const busyIntervalsOf = ({ busy_from, busy_until }: Partial<BusyLists>): Interval[] =>
  (busy_from ?? []).map((start, index) => ({ start, end: busy_until?.[index] as number }));

const findBusy = tenantSql<
  BusyLists & { resource_id: number },
  { resourceIds: number[]; from: Date; until: Date; exceptAppointmentId: number | null; withHolds: boolean }
>(
  'busy_find',
  `select resource_id, ${BUSY_LISTS}
   from appointments
   where tenant_id = $tenantId and resource_id = any($resourceIds::bigint[]) and occupied && tstzrange($from, $until)
     and ${isTaken('appointments')} and ($withHolds or status <> 'held') and ($exceptAppointmentId::bigint is null or id <> $exceptAppointmentId)
   group by resource_id`,
);

/** What appointments and open holds occupy within the stretch, by resource, sorted by start. One query, however many resources. */
export async function findBusyIntervals(
  db: TenantReads,
  resourceIds: number[],
  within: Interval,
  {
    exceptAppointmentId = null,
    withHolds = true,
  }: { exceptAppointmentId?: number | null; withHolds?: boolean } = {},
): Promise<Map<number, Interval[]>> {
  const rows = await db.many(findBusy, {
    resourceIds,
    from: new Date(within.start),
    until: new Date(within.end),
    exceptAppointmentId,
    withHolds,
  });
  return new Map(rows.map((row) => [row.resource_id, busyIntervalsOf(row)]));
}
