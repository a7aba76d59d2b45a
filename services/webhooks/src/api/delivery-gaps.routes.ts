import { dataOf, deliveryGap } from '@frontdesk/contracts';
import { type App, ok } from '@frontdesk/service';
import { createDeliveryGaps } from '../data/delivery-gap.repository.ts';

/** Of which times a tenant may not have been sent everything. */
export function deliveryGapRoutes(app: App, deps: Parameters<typeof createDeliveryGaps>[0]): void {
  const gaps = createDeliveryGaps(deps);
  app.get(
    '/internal/tenants/:tenant_id/webhooks/gaps',
    { schema: { response: { 200: dataOf(deliveryGap.array()) } } },
    async ({ tenantId }) => ok(await gaps.list(tenantId)),
  );
}
