import type { Clients } from '../clients/clients.ts';
import { orNull } from '../clients/or-null.ts';
import type { Statistics } from './statistics.rules.ts';

/** What each service counts of a business, all asked at once. */
export async function loadStatistics(
  { gateway, statistics, webhooks }: Clients,
  tenantId: number,
): Promise<Statistics> {
  const [tenant, appointments, calls, deliveries, requests, usage, endpoints] = await Promise.all([
    orNull(gateway.tenant(tenantId)),
    orNull(statistics.appointments(tenantId)),
    orNull(statistics.calls(tenantId)),
    orNull(statistics.deliveries(tenantId)),
    orNull(statistics.requests(tenantId)),
    orNull(gateway.usage(tenantId)),
    orNull(webhooks.endpoints(tenantId)),
  ]);
  return { tenant, appointments, calls, deliveries, requests, usage, endpoints };
}
