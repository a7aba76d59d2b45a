import type { Clients } from '../clients/clients.ts';
import { orNull } from '../clients/or-null.ts';
import { type DeliveryFilter, logQuery } from '../records/delivery-filter.rules.ts';
import { regionOf } from '../region/region.rules.ts';
import type { By } from '../session/session.rules.ts';
import type { ApiPageData } from './api-page-data.rules.ts';

/** Deliveries of the log; none where no query fits what is looked for. Null: webhooks can't say. */
export const readLog = <Delivery>(
  list: (by: By, query: URLSearchParams) => Promise<Delivery[]>,
  by: By,
  query: URLSearchParams | null,
): Promise<Delivery[] | null> => (query ? orNull(list(by, query)) : Promise.resolve([]));

/** Everything on the page, asked for side by side; `list` asks for deliveries, whole or not. */
export async function loadApiPage<Delivery>(
  { gateway, webhooks }: Clients,
  by: By,
  {
    filter,
    perPage,
    list,
  }: {
    filter: DeliveryFilter;
    perPage: number;
    list: (by: By, query: URLSearchParams) => Promise<Delivery[]>;
  },
): Promise<ApiPageData<Delivery>> {
  const asked = orNull(gateway.tenant(by));
  const logIn = (zone: string) => readLog(list, by, logQuery(filter, zone, perPage));
  const needsZone = filter.from !== undefined || filter.to !== undefined;
  const [tenant, keys, usage, endpoints, deliveries, gaps] = await Promise.all([
    asked,
    orNull(gateway.keys(by)),
    orNull(gateway.usage(by)),
    orNull(webhooks.endpoints(by)),
    needsZone ? asked.then((tenant) => logIn(regionOf({ tenant }).zone)) : logIn('UTC'),
    orNull(webhooks.gaps(by)),
  ]);
  return { tenant, keys, usage, endpoints, deliveries, gaps };
}
