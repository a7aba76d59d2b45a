import type { Clients } from '../clients/clients.ts';
import type { Overview } from '../domain/business-overview.ts';
import { orNull } from './or-null.ts';

/** How a business does, asked for at all services side by side. */
export async function gatherOverview(
  { gateway, scheduling, statistics, webhooks }: Clients,
  tenantId: number,
): Promise<Overview> {
  const [tenant, appointments, bookability, calls, deliveries, requests, usage, endpoints] =
    await Promise.all([
      orNull(gateway.tenant(tenantId)),
      orNull(statistics.appointments(tenantId)),
      orNull(scheduling.bookability(tenantId)),
      orNull(statistics.calls(tenantId)),
      orNull(statistics.deliveries(tenantId)),
      orNull(statistics.requests(tenantId)),
      orNull(gateway.usage(tenantId)),
      orNull(webhooks.endpoints(tenantId)),
    ]);
  return { tenant, appointments, bookability, calls, deliveries, requests, usage, endpoints };
}
