import { type DeliveryDetail, TEST_EVENT } from '@frontdesk/contracts';
import type { Clients } from '../clients/clients.ts';
import { orAbsent, orNull } from '../clients/or-null.ts';
import type { WebhooksClient } from '../clients/webhooks.client.ts';
import type { By } from '../session/session.rules.ts';

/** An endpoint with everything that its page shows. Null: webhooks didn't answer in time. @throws AppError 404 */
export async function loadEndpoint(
  { webhooks, replays }: Clients,
  by: By,
  { id, test }: { id: number; test: number | undefined },
) {
  const [endpoint, latest, failedCount, missed, tested] = await Promise.all([
    orNull(webhooks.endpoint(by, id)),
    orNull(replays.latest(by, id)),
    orNull(replays.failedCount(by, id)),
    orNull(replays.missed(by, id)),
    test === undefined ? null : findTest(webhooks, by, { id, test }),
  ]);
  return { id, endpoint, replays: latest, failedCount, missed, test: tested };
}

/** A test event of this endpoint; null where the address names anything else, or webhooks can't say. */
async function findTest(
  webhooks: WebhooksClient,
  by: By,
  { id, test }: { id: number; test: number },
): Promise<DeliveryDetail | null> {
  const delivery = await orAbsent(webhooks.delivery(by, test));
  return delivery?.endpoint_id === id && delivery.event === TEST_EVENT ? delivery : null;
}
