import { webhooksRoutes } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok, route } from '@frontdesk/service';
import { listDeliveryGaps } from './delivery-gap.repository.ts';
import { deliveryGapRecord } from './delivery-gap.rules.ts';

/** Of which times a tenant may not have been sent everything. */
export function deliveryGapRoutes(
  app: App,
  deps: { database: Database; nameOf: (topic: string) => string; retentionDays: number },
): void {
  const { database, nameOf, retentionDays } = deps;
  route(app, webhooksRoutes.listDeliveryGaps, async ({ tenantId }) => {
    const gaps = await listDeliveryGaps(database.forTenant(tenantId), nameOf, retentionDays);
    return ok(gaps.map(deliveryGapRecord));
  });
}
