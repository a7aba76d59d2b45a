import type { Clients } from '../clients/clients.ts';
import { orNull } from '../clients/or-null.ts';
import type { By } from '../session/session.rules.ts';
import { ifAllowed } from '../ui/page-scopes.rules.ts';
import type { Statistics } from './statistics.rules.ts';

/** What each service counts of a business, all asked at once. */
export async function loadStatistics(
  { gateway, statistics, webhooks }: Clients,
  by: By,
): Promise<Statistics> {
  const [tenant, appointments, calls, deliveries, requests, usage, endpoints] = await Promise.all([
    orNull(gateway.tenant(by)),
    orNull(statistics.appointments(by)),
    orNull(statistics.calls(by)),
    ifAllowed(by, 'webhooks:write', () => orNull(statistics.deliveries(by))),
    orNull(statistics.requests(by)),
    orNull(gateway.usage(by)),
    ifAllowed(by, 'webhooks:write', () => orNull(webhooks.endpoints(by))),
  ]);
  return { tenant, appointments, calls, deliveries, requests, usage, endpoints };
}
