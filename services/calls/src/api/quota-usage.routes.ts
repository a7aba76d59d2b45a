import { dataOf, quotaUsageSchema, quotaUse } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, ok } from '@frontdesk/service';
import { countMessagesToday } from '../data/call-message-day.repository.ts';
import { countSources } from '../data/call-source.repository.ts';
import { findQuotaUses } from '../data/quota-uses.repository.ts';

/** How much a tenant uses of the quotas that this service decides. */
export function quotaUsageRoutes(app: App, { database }: { database: Database }): void {
  app.get(
    '/internal/tenants/:tenant_id/quota-usage',
    { schema: { response: { 200: dataOf(quotaUsageSchema) } } },
    async ({ tenantId }) => {
      const scope = database.forTenant(tenantId);
      const [call_sources, today] = await Promise.all([countSources(scope), countMessagesToday(scope)]);
      return ok({ call_sources, call_messages_per_day: today.messages, call_bytes_per_day: today.bytes });
    },
  );
}

/** The tenants that may be near one of these quotas: for operators alone. */
export function quotaUsesRoutes(app: App, { database }: { database: Database }): void {
  app.get('/internal/quota-uses', { schema: { response: { 200: dataOf(quotaUse.array()) } } }, async () =>
    ok(await findQuotaUses(database.system)),
  );
}
