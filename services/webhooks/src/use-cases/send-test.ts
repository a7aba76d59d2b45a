import { randomUUID } from 'node:crypto';
import { TEST_EVENT } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { findDelivery } from '../data/delivery.repository.ts';
import { insertTestDelivery } from '../data/delivery-writes.repository.ts';
import type { DeliveryRow } from '../domain/delivery.ts';
import { testBodyOf } from '../domain/payload.ts';
import { useEndpoint } from './use-endpoint.ts';

/** Queues an event that goes to this endpoint alone. @throws AppError `not_found`, `validation_failed` */
export async function sendTest(tx: TenantTransaction, endpointId: number): Promise<DeliveryRow> {
  const { version: sequence } = await useEndpoint(tx, endpointId);
  const [eventId, at] = [randomUUID(), new Date().toISOString()];
  const body = testBodyOf({ eventId, at, sequence, endpointId });
  const id = await insertTestDelivery(tx, { endpointId, eventId, name: TEST_EVENT, sequence, at, body });
  return (await findDelivery(tx, id)) as DeliveryRow;
}
