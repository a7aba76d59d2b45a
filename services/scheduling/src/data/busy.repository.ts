import { tenantSql } from '@frontdesk/database';
import type { Interval } from '../domain/interval.ts';
import { HOLDS_SLOT } from './appointment.repository.ts';
import type { TenantReads } from './tenant-reads.ts';

interface BusyRow {
  resource_id: number;
  busy_from: number;
  busy_until: number;
}

const findBusy = tenantSql<
  BusyRow,
  [resourceIds: number[], from: Date, until: Date, exceptAppointmentId: number | null]
>(
  'busy_find',
  `select resource_id,
     extract(epoch from lower(occupied))::float8 * 1000 as busy_from,
     extract(epoch from upper(occupied))::float8 * 1000 as busy_until
   from appointments
   where tenant_id = $1 and resource_id = any($2::bigint[]) and occupied && tstzrange($3, $4)
     and ${HOLDS_SLOT} and ($5::bigint is null or id <> $5)
   order by lower(occupied)`,
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
  const busy = new Map<number, Interval[]>();
  for (const { resource_id, busy_from, busy_until } of rows)
    busy.getOrInsertComputed(resource_id, () => []).push({ start: busy_from, end: busy_until });
  return busy;
}
