import { type TenantReads, tenantSql } from '@frontdesk/database';
import type { Interval } from '../domain/interval.ts';
import { HOLDS_SLOT } from './appointment.repository.ts';

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
  [resourceIds: number[], from: Date, until: Date, exceptAppointmentId: number | null]
>(
  'busy_find',
  `select resource_id, ${BUSY_LISTS}
   from appointments
   where tenant_id = $1 and resource_id = any($2::bigint[]) and occupied && tstzrange($3, $4)
     and ${HOLDS_SLOT} and ($5::bigint is null or id <> $5)
   group by resource_id`,
);

/** What appointments occupy within the stretch, by resource, sorted by start. One query, however many resources. */
export async function findBusyIntervals(
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
  return new Map(rows.map((row) => [row.resource_id, busyIntervalsOf(row)]));
}
