import { dataOf, deliveryGap } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok } from '@frontdesk/service';
import { listDeliveryGaps } from '../data/delivery-gap.repository.ts';
import { deliveryGapRecord } from '../domain/delivery-gap.ts';

/** Of which times a tenant may not have been sent everything. */
export function deliveryGapRoutes(
  app: App,
  deps: { database: Database; nameOf: (topic: string) => string; retentionDays: number },
): void {
  const { database, nameOf, retentionDays } = deps;
  app.get(
    '/internal/tenants/:tenant_id/webhooks/gaps',
    { schema: { response: { 200: dataOf(deliveryGap.array()) } } },
    async ({ tenantId }) => {
      const gaps = await listDeliveryGaps(database.forTenant(tenantId), nameOf, retentionDays);
      return ok(gaps.map(deliveryGapRecord));
    },
  );
}
