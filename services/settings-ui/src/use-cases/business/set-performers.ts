import { AppError } from '@frontdesk/service';
import type { SchedulingClient } from '../../clients/scheduling.client.ts';

/** Others may change the same member of staff meanwhile; each time what they did is read first. */
const ATTEMPTS = 3;

export interface Performers {
  serviceId: number;
  add: number[];
  remove: number[];
}

/**
 * Who is to perform a service from now on, or no more. Staff who are not named stay as they are, whatever others did.
 * @returns whom of those to be added there isn't any more: somebody has deleted them meanwhile
 */
export async function setPerformers(
  { staff }: Pick<SchedulingClient, 'staff'>,
  tenantId: number,
  { serviceId, add, remove }: Performers,
): Promise<number[]> {
  const gone: number[] = [];
  for (const staffId of add) if (!(await isStillThere(setPerforming(staffId, true)))) gone.push(staffId);
  for (const staffId of remove) await isStillThere(setPerforming(staffId, false));
  return gone;

  async function setPerforming(staffId: number, performs: boolean): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const { record, etag } = await staff.find(tenantId, staffId);
      const others = record.service_ids.filter((id) => id !== serviceId);
      const service_ids = performs ? [...others, serviceId] : others;
      try {
        await staff.change(tenantId, staffId, { service_ids }, etag);
        return;
      } catch (error) {
        const isOvertaken = error instanceof AppError && error.code === 'precondition_failed';
        if (!isOvertaken || attempt === ATTEMPTS) throw error;
      }
    }
  }
}

async function isStillThere(change: Promise<void>): Promise<boolean> {
  try {
    await change;
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return false;
    throw error;
  }
}
