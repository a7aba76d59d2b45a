import { webhooksRoutes } from '@frontdesk/contracts';
import { type App, ok, page, route } from '@frontdesk/service';
import { listDeliveries } from './delivery.repository.ts';
import { deliveryRecord } from './delivery.rules.ts';
import { type DeliveryDeps, deliveryRequests } from './delivery-requests.ts';
import { resendDelivery, sendNow, sendTest } from './send-deliveries.ts';

/** The log for those who run a business. */
export function deliveryRoutes(app: App, deps: DeliveryDeps): void {
  const { viewOf, pageOf, summaries, detail, send } = deliveryRequests(deps);

  route(app, webhooksRoutes.listDeliveries, async (request) => {
    const { rows, meta } = await pageOf(listDeliveries, request);
    const view = await viewOf(request);
    return page(
      rows.map((row) => deliveryRecord(row, view)),
      meta,
    );
  });

  route(app, webhooksRoutes.listDeliverySummaries, summaries);

  route(app, webhooksRoutes.getDelivery, async (request) => ok(await detail(request)));

  for (const [declared, work] of [
    [webhooksRoutes.resendDelivery, resendDelivery],
    [webhooksRoutes.sendNow, sendNow],
    [webhooksRoutes.sendTest, sendTest],
  ] as const)
    route(app, declared, (request, reply) => send(request, reply, { work, show: deliveryRecord }));
}
