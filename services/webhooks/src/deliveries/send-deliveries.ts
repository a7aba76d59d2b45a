import { randomUUID } from 'node:crypto';
import { TEST_EVENT } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { type Identity, invalid, notFound } from '@frontdesk/service';
import { retryEndpointNow } from '../endpoints/endpoint.repository.ts';
import { useEndpoint } from '../endpoints/use-endpoint.ts';
import { testBodyOf } from '../events/payload.rules.ts';
import {
  hastenDelivery,
  insertTestDelivery,
  requeueDeliveries,
} from '../queue/delivery-writes.repository.ts';
import { MAX_KEPT_ATTEMPTS } from '../receivers/attempt.rules.ts';
import { findDelivery } from './delivery.repository.ts';
import type { DeliveryRow } from './delivery.rules.ts';

/** Makes a settled delivery pending again, with as many attempts as a new one. @throws AppError `not_found`, `validation_failed` */
export async function resendDelivery(tx: TenantTransaction, id: number, by: Identity): Promise<DeliveryRow> {
  const found = await findDelivery(tx, id);
  if (found === null) throw notFound('Delivery');
  await useEndpoint(tx, found.endpoint_id, by);
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

/**
 * Makes a delivery that waits for its next attempt due at once, before all others of its endpoint. Its row in the queue decides,
 * under its lock: one that is in flight already is left to its sender. @throws AppError `not_found`, `validation_failed`
 */
export async function sendNow(tx: TenantTransaction, id: number, by: Identity): Promise<DeliveryRow> {
  const found = await findDelivery(tx, id);
  if (found === null) throw notFound('Delivery');
  // In this order: two who hold the endpoint as it is could not both change it.
  await retryEndpointNow(tx, found.endpoint_id);
  await useEndpoint(tx, found.endpoint_id, by);
  if (!(await hastenDelivery(tx, found.endpoint_id, id)))
    throw invalid({ delivery: ['The delivery is not pending. Check its status.'] });
  return (await findDelivery(tx, id)) as DeliveryRow;
}

/** Queues an event that goes to this endpoint alone. @throws AppError `not_found`, `validation_failed` */
export async function sendTest(
  tx: TenantTransaction,
  endpointId: number,
  by: Identity,
): Promise<DeliveryRow> {
  const { version: sequence } = await useEndpoint(tx, endpointId, by);
  const [eventId, at] = [randomUUID(), new Date().toISOString()];
  const body = testBodyOf({ eventId, at, sequence, endpointId });
  const id = await insertTestDelivery(tx, { endpointId, eventId, name: TEST_EVENT, sequence, at, body });
  return (await findDelivery(tx, id)) as DeliveryRow;
}
