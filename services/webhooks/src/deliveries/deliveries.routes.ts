import { randomUUID } from 'node:crypto';
import { TEST_EVENT, webhooksRoutes } from '@frontdesk/contracts';
import type { Database, TenantTransaction } from '@frontdesk/database';
import { type App, invalid, notFound, ok, page, route } from '@frontdesk/service';
import { idempotent } from '@frontdesk/wiring';
import { retryEndpointNow } from '../endpoints/endpoint.repository.ts';
import { useEndpoint } from '../endpoints/use-endpoint.ts';
import { testBodyOf } from '../events/payload.rules.ts';
import { feedInLog } from '../feed/feed-cursors.ts';
import type { SettledFeed } from '../feed/settle-feed.ts';
import {
  hastenDelivery,
  insertTestDelivery,
  requeueDeliveries,
} from '../queue/delivery-writes.repository.ts';
import { MAX_KEPT_ATTEMPTS } from '../receivers/attempt.rules.ts';
import {
  findDelivery,
  findDeliveryWithAttempts,
  listDeliveries,
  listDeliverySummaries,
} from './delivery.repository.ts';
import {
  type DeliveryRow,
  deliveryDetailRecord,
  deliveryRecord,
  deliverySummaryRecord,
} from './delivery.rules.ts';

interface DeliveryDeps {
  database: Database;
  settled: Pick<SettledFeed, 'number'>;
  onQueued: () => void;
}

export function deliveryRoutes(app: App, { database, settled, onQueued }: DeliveryDeps): void {
  route(app, webhooksRoutes.listDeliveries, async ({ tenantId, query }) => {
    const { rows, ...meta } = await listDeliveries(database, tenantId, query);
    const feed = await feedInLog({ database, settled }, tenantId);
    return page(
      rows.map((row) => deliveryRecord(row, feed)),
      { ...query, ...meta },
    );
  });

  route(app, webhooksRoutes.listDeliverySummaries, async ({ tenantId, query }) => {
    const { rows, ...meta } = await listDeliverySummaries(database, tenantId, query);
    const feed = await feedInLog({ database, settled }, tenantId);
    return page(
      rows.map((row) => deliverySummaryRecord(row, feed)),
      { ...query, ...meta },
    );
  });

  route(app, webhooksRoutes.getDelivery, async ({ tenantId, params: { id } }) => {
    const row = await findDeliveryWithAttempts(database.forTenant(tenantId), id);
    if (row === null) throw notFound('Delivery');
    return ok(deliveryDetailRecord(row, await feedInLog({ database, settled }, tenantId)));
  });

  for (const [declared, work] of [
    [webhooksRoutes.resendDelivery, resendDelivery],
    [webhooksRoutes.sendNow, sendNow],
    [webhooksRoutes.sendTest, sendTest],
  ] as const)
    route(app, declared, async (request, reply) => {
      const scope = database.forTenant(request.tenantId);
      // Before the transaction, which nothing could settle beside.
      const feed = await feedInLog({ database, settled }, request.tenantId);
      return idempotent({ request, reply, scope }, async (transaction) => {
        const answer = await transaction(async (tx) => ({
          status: 202,
          body: ok(deliveryRecord(await work(tx, request.params.id), feed)),
        }));
        onQueued();
        return answer;
      });
    });
}

/** Makes a settled delivery pending again, with as many attempts as a new one. @throws AppError `not_found`, `validation_failed` */
async function resendDelivery(tx: TenantTransaction, id: number): Promise<DeliveryRow> {
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

/**
 * Makes a delivery that waits for its next attempt due at once, before all others of its endpoint. Its row in the queue decides,
 * under its lock: one that is in flight already is left to its sender. @throws AppError `not_found`, `validation_failed`
 */
async function sendNow(tx: TenantTransaction, id: number): Promise<DeliveryRow> {
  const found = await findDelivery(tx, id);
  if (found === null) throw notFound('Delivery');
  // In this order: two who hold the endpoint as it is could not both change it.
  await retryEndpointNow(tx, found.endpoint_id);
  await useEndpoint(tx, found.endpoint_id);
  if (!(await hastenDelivery(tx, found.endpoint_id, id)))
    throw invalid({ delivery: ['The delivery is not pending. Check its status.'] });
  return (await findDelivery(tx, id)) as DeliveryRow;
}

/** Queues an event that goes to this endpoint alone. @throws AppError `not_found`, `validation_failed` */
async function sendTest(tx: TenantTransaction, endpointId: number): Promise<DeliveryRow> {
  const { version: sequence } = await useEndpoint(tx, endpointId);
  const [eventId, at] = [randomUUID(), new Date().toISOString()];
  const body = testBodyOf({ eventId, at, sequence, endpointId });
  const id = await insertTestDelivery(tx, { endpointId, eventId, name: TEST_EVENT, sequence, at, body });
  return (await findDelivery(tx, id)) as DeliveryRow;
}
