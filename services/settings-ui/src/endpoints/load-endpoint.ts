import { type DeliveryDetail, TEST_EVENT } from '@frontdesk/contracts';
import type { Clients } from '../clients/clients.ts';
import { orAbsent, orNull } from '../clients/or-null.ts';
import type { WebhooksClient } from '../clients/webhooks.client.ts';

/** An endpoint with everything that its page shows. Null: webhooks didn't answer in time. @throws AppError 404 */
export async function loadEndpoint(
  { webhooks, replays }: Clients,
  tenantId: number,
  { id, test }: { id: number; test: number | undefined },
) {
  const [endpoint, latest, failedCount, missed, tested] = await Promise.all([
    orNull(webhooks.endpoint(tenantId, id)),
    orNull(replays.latest(tenantId, id)),
    orNull(replays.failedCount(tenantId, id)),
    orNull(replays.missed(tenantId, id)),
    test === undefined ? null : findTest(webhooks, tenantId, { id, test }),
  ]);
  return { id, endpoint, replays: latest, failedCount, missed, test: tested };
}

/** A test event of this endpoint; null where the address names anything else, or webhooks can't say. */
async function findTest(
  webhooks: WebhooksClient,
  tenantId: number,
  { id, test }: { id: number; test: number },
): Promise<DeliveryDetail | null> {
  const delivery = await orAbsent(webhooks.delivery(tenantId, test));
  return delivery?.endpoint_id === id && delivery.event === TEST_EVENT ? delivery : null;
}
