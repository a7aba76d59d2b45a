import { AppError } from '@frontdesk/service';
import type { SchedulingClient } from '../../clients/scheduling.client.ts';

/** Others may change the same member of staff meanwhile; each time what they did is read first. */
const ATTEMPTS = 3;

/** Who is to perform a service from now on, or no more. Staff who are not named stay as they are, whatever others did. */
export async function setPerformers(
  { staff }: Pick<SchedulingClient, 'staff'>,
  tenantId: number,
  { serviceId, add, remove }: { serviceId: number; add: number[]; remove: number[] },
): Promise<void> {
  for (const [ids, performs] of [
    [add, true],
    [remove, false],
  ] as const) {
    for (const staffId of ids) await setPerforming(staffId, performs);
  }

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
