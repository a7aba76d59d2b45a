import type { TenantTransaction } from '@frontdesk/database';
import { invalid, notFound } from '@frontdesk/service';
import { findDelivery } from '../data/delivery.repository.ts';
import { hastenDelivery } from '../data/delivery-writes.repository.ts';
import { retryEndpointNow } from '../data/endpoint.repository.ts';
import type { DeliveryRow } from '../domain/delivery.ts';
import { useEndpoint } from './use-endpoint.ts';

/**
 * Makes a delivery that waits for its next attempt due at once, before all others of its endpoint. Its row in the queue decides,
 * under its lock: one that is in flight already is left to its sender. @throws AppError `not_found`, `validation_failed`
 */
export async function sendNow(tx: TenantTransaction, id: number): Promise<DeliveryRow> {
  const found = await findDelivery(tx, id);
  if (found === null) throw notFound('Delivery');
  // In this order: two who hold the endpoint as it is could not both change it.
  await retryEndpointNow(tx, found.endpoint_id);
  await useEndpoint(tx, found.endpoint_id);
  if (!(await hastenDelivery(tx, found.endpoint_id, id)))
    throw invalid({ delivery: ['The delivery is not pending. Check its status.'] });
  return (await findDelivery(tx, id)) as DeliveryRow;
}
