import type { CustomerCounts, CustomerListEntry } from '@frontdesk/contracts';
import type { ListPage } from '@frontdesk/service';
import type { Clients } from '../clients/clients.ts';
import { orNull } from '../clients/or-null.ts';
import { CUSTOMERS_PER_PAGE, type CustomersQuery } from '../records/customers-query.rules.ts';
import { type QuotaUse, quotaUse } from '../records/quota-use.rules.ts';
import { type Region, regionOf } from '../region/region.rules.ts';
import { asksForSimilar } from '../search/search.rules.ts';
import type { By } from '../session/session.rules.ts';
import { textsIn } from '../ui/addresses.rules.ts';

/** What the list's page is made of. Null: crm couldn't say in time. */
export interface LoadedCustomers {
  region: Region;
  list: ListPage<CustomerListEntry[]> | null;
  /** Whose names are like what is searched for, but don't hold it. */
  similar: CustomerListEntry[];
  counts: CustomerCounts | null;
  /** What is used of the quota, where little of it is left. */
  quota: QuotaUse | null;
  /** The pipeline stages in use. */
  stages: readonly string[] | null;
}

/** The pipeline stages that a business uses; null where crm can't say in time. */
export type StagesOf = (by: By) => Promise<readonly string[] | null>;

/** One page of the list. @throws AppError where crm is away */
export const listCustomers = (
  { customers }: Pick<Clients, 'customers'>,
  by: By,
  query: CustomersQuery,
): Promise<ListPage<CustomerListEntry[]>> =>
  customers.list(by, { ...textsIn(query), per_page: String(CUSTOMERS_PER_PAGE) });

export async function loadCustomers(
  clients: Pick<Clients, 'customers' | 'gateway'> & { stagesOf: StagesOf },
  by: By,
  query: CustomersQuery,
): Promise<LoadedCustomers> {
  const [tenant, { list, similar }, counts, stages] = await Promise.all([
    orNull(clients.gateway.tenant(by)),
    listAndSimilar(clients, by, query),
    orNull(clients.customers.counts(by)),
    clients.stagesOf(by),
  ]);
  const quota = quotaUse('customers', tenant, counts === null ? undefined : totalOf(counts));
  return {
    region: regionOf({ tenant }),
    list,
    similar,
    counts,
    quota: quota?.isNearlyFull ? quota : null,
    stages,
  };
}

const totalOf = ({ segments }: CustomerCounts) =>
  Object.values(segments).reduce((sum: number, count) => sum + (count ?? 0), 0);

/** One page of the list; with the first one of a few, who may be meant. */
async function listAndSimilar(
  clients: Pick<Clients, 'customers'>,
  by: By,
  query: CustomersQuery,
): Promise<Pick<LoadedCustomers, 'list' | 'similar'>> {
  const list = await orNull(listCustomers(clients, by, query));
  const { search = '', segment, pipeline_stage } = query;
  const isFirst = Number(query.page ?? 1) === 1;
  if (list === null || !isFirst || !asksForSimilar(search, list.total)) return { list, similar: [] };
  const asked = textsIn({ search, segment, pipeline_stage });
  return { list, similar: (await orNull(clients.customers.similar(by, asked))) ?? [] };
}
