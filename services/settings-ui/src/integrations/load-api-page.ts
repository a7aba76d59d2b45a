import type { Clients } from '../clients/clients.ts';
import { orNull } from '../clients/or-null.ts';
import { type DeliveryFilter, logQuery } from '../records/delivery-filter.rules.ts';
import { regionOf } from '../region/region.rules.ts';
import type { ApiPageData } from './api-page-data.rules.ts';

/** Deliveries of the log; none where no query fits what is looked for. Null: webhooks can't say. */
export const readLog = <Delivery>(
  list: (tenantId: number, query: URLSearchParams) => Promise<Delivery[]>,
  tenantId: number,
  query: URLSearchParams | null,
): Promise<Delivery[] | null> => (query ? orNull(list(tenantId, query)) : Promise.resolve([]));

/** Everything on the page, asked for side by side; `list` asks for deliveries, whole or not. */
export async function loadApiPage<Delivery>(
  { gateway, webhooks }: Clients,
  tenantId: number,
  {
    filter,
    perPage,
    list,
  }: {
    filter: DeliveryFilter;
    perPage: number;
    list: (tenantId: number, query: URLSearchParams) => Promise<Delivery[]>;
  },
): Promise<ApiPageData<Delivery>> {
  const asked = orNull(gateway.tenant(tenantId));
  const logIn = (zone: string) => readLog(list, tenantId, logQuery(filter, zone, perPage));
  const needsZone = filter.from !== undefined || filter.to !== undefined;
  const [tenant, keys, usage, endpoints, deliveries, gaps] = await Promise.all([
    asked,
    orNull(gateway.keys(tenantId)),
    orNull(gateway.usage(tenantId)),
    orNull(webhooks.endpoints(tenantId)),
    needsZone ? asked.then((tenant) => logIn(regionOf({ tenant }).zone)) : logIn('UTC'),
    orNull(webhooks.gaps(tenantId)),
  ]);
  return { tenant, keys, usage, endpoints, deliveries, gaps };
}
