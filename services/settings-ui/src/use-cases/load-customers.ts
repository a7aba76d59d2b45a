import type { CustomerCounts, CustomerListEntry } from '@frontdesk/contracts';
import type { ListPage } from '@frontdesk/service';
import type { Clients } from '../clients/clients.ts';
import { CUSTOMERS_PER_PAGE, type CustomersQuery } from '../domain/customers/customers-query.ts';
import { textsIn } from '../domain/shared/addresses.ts';
import { type Region, regionOf } from '../domain/shared/region.ts';
import { orNull } from './or-null.ts';

/** What the list's page is made of. Null: crm couldn't say in time. */
export interface LoadedCustomers {
  region: Region;
  list: ListPage<CustomerListEntry[]> | null;
  counts: CustomerCounts | null;
  /** The pipeline stages in use. */
  stages: readonly string[] | null;
}

/** The pipeline stages that a business uses; null where crm can't say in time. */
export type StagesOf = (tenantId: number) => Promise<readonly string[] | null>;

/** One page of the list. @throws AppError where crm is away */
export const listCustomers = (
  { customers }: Pick<Clients, 'customers'>,
  tenantId: number,
  query: CustomersQuery,
): Promise<ListPage<CustomerListEntry[]>> =>
  customers.list(tenantId, { ...textsIn(query), per_page: String(CUSTOMERS_PER_PAGE) });

export async function loadCustomers(
  clients: Pick<Clients, 'customers' | 'gateway'> & { stagesOf: StagesOf },
  tenantId: number,
  query: CustomersQuery,
): Promise<LoadedCustomers> {
  const [tenant, list, counts, stages] = await Promise.all([
    orNull(clients.gateway.tenant(tenantId)),
    orNull(listCustomers(clients, tenantId, query)),
    orNull(clients.customers.counts(tenantId)),
    clients.stagesOf(tenantId),
  ]);
  return { region: regionOf({ tenant }), list, counts, stages };
}
