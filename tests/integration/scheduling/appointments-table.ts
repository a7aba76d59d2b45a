import type { AppointmentStatus } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import type { SchedulingWorld } from './scheduling-world.ts';

export interface StoredAppointment {
  id: number;
  resource_id: number;
  status: AppointmentStatus | 'held' | 'expired';
  version: number;
  /** What it occupies, buffers included: half-open, epoch ms. */
  from: number;
  until: number;
}

const appointmentsOf = systemSql<StoredAppointment, { tenantId: number }>(
  'test_appointments',
  `select id, resource_id, status, version,
     extract(epoch from lower(occupied))::float8 * 1000 as from,
     extract(epoch from upper(occupied))::float8 * 1000 as until
   from appointments where tenant_id = $tenantId order by id`,
);

/** The table itself, whatever the API says of it, in the order of ids. */
export const storedAppointments = (world: SchedulingWorld, tenantId: number): Promise<StoredAppointment[]> =>
  world.database.system.many(appointmentsOf, { tenantId });

/** Those that take their slot, holds among them, whether or not their time is over. */
export const heldAmong = (rows: StoredAppointment[]) =>
  rows.filter(({ status }) => ['scheduled', 'completed', 'held'].includes(status));

/** Every two of them that are in one place at once. */
export function overlapsAmong(rows: StoredAppointment[]): [number, number][] {
  const held = heldAmong(rows);
  return held.flatMap((one) =>
    held
      .filter(
        (other) =>
          one.id < other.id &&
          one.resource_id === other.resource_id &&
          one.from < other.until &&
          other.from < one.until,
      )
      .map((other): [number, number] => [one.id, other.id]),
  );
}
