import type { TenantTransaction } from '@frontdesk/database';
import { invalid, notFound } from '@frontdesk/service';
import { findDelivery } from '../data/delivery.repository.ts';
import { requeueDeliveries } from '../data/delivery-writes.repository.ts';
import { MAX_KEPT_ATTEMPTS } from '../domain/attempt.ts';
import type { DeliveryRow } from '../domain/delivery.ts';
import { useEndpoint } from './use-endpoint.ts';

/** Makes a settled delivery pending again, with as many attempts as a new one. @throws AppError `not_found`, `validation_failed` */
export async function resendDelivery(tx: TenantTransaction, id: number): Promise<DeliveryRow> {
  const found = await findDelivery(tx, id);
  if (found === null) throw notFound('Delivery');
  await useEndpoint(tx, found.endpoint_id);
  if (found.attempt_count >= MAX_KEPT_ATTEMPTS) {
    throw invalid({
      delivery: [
        `The delivery has had ${found.attempt_count} attempts: from ${MAX_KEPT_ATTEMPTS} on, none is added.`,
      ],
    });
  }
  if ((await requeueDeliveries(tx, found.endpoint_id, [id])) === 0) {
    throw invalid({ delivery: ['The delivery is already pending or being sent.'] });
  }
  return (await findDelivery(tx, id)) as DeliveryRow;
}
