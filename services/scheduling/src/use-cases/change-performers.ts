import type { PerformerChange } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { invalid } from '@frontdesk/service';
import { addPerformers, removePerformers } from '../data/performers.repository.ts';
import { listStaff } from '../data/staff.repository.ts';

/** Lock the business first. @throws AppError `validation_failed` where staff are to be added that it doesn't have */
export async function changePerformers(
  tx: TenantTransaction,
  serviceId: number,
  { add, remove }: PerformerChange,
): Promise<void> {
  const present = new Set(add.length > 0 ? (await listStaff(tx)).map(({ id }) => id) : []);
  if (!add.every((id) => present.has(id)))
    throw invalid({
      performers: [
        'Someone among them was deleted meanwhile. Check who performs the service and save again.',
      ],
    });
  await addPerformers(tx, serviceId, add);
  await removePerformers(tx, serviceId, remove);
}
