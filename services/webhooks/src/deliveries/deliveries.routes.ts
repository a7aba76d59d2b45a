import { operations } from '@frontdesk/contracts';
import { type App, ok, route } from '@frontdesk/service';
import { type DeliveryRow, deliverySummaryRecord, type LogView } from './delivery.rules.ts';
import { type DeliveryDeps, deliveryRequests } from './delivery-requests.ts';
import { resendDelivery, sendTest } from './send-deliveries.ts';

const summaryOf = (row: DeliveryRow, { feed }: LogView) => deliverySummaryRecord(row, feed);

/** The log for integrators. What lists and what is queued are without payloads and answers, which may be large. */
export function webhookDeliveryRoutes(app: App, deps: DeliveryDeps): void {
  const { summaries, detail, send } = deliveryRequests(deps);

  route(app, operations.listWebhookDeliveries, summaries);

  route(app, operations.getWebhookDelivery, async (request) => ok(await detail(request)));

  for (const [declared, work] of [
    [operations.resendWebhookDelivery, resendDelivery],
    [operations.testWebhook, sendTest],
  ] as const)
    route(app, declared, (request, reply) => send(request, reply, { work, show: summaryOf }));
}
