import { MAX_NAMED_CUSTOMERS, type NamedCustomer } from '@frontdesk/contracts';
import type { CustomersClient } from '../clients/customers.client.ts';
import { orNull } from '../clients/or-null.ts';
import { namesOf } from '../records/names.rules.ts';
import type { By } from '../session/session.rules.ts';

/** Who they are, each once; null where crm can't say. */
export async function namedCustomers(
  customers: Pick<CustomersClient, 'byIds'>,
  by: By,
  ids: Iterable<number>,
): Promise<NamedCustomer[] | null> {
  const distinct = [...new Set(ids)];
  if (distinct.length === 0) return [];
  // Where there are more, the last of them keep their numbers.
  return orNull(customers.byIds(by, distinct.slice(0, MAX_NAMED_CUSTOMERS)));
}

/** Names by id, null where they are unknown; and telephone numbers, as far as they are known. */
export const namesAndPhones = (named: readonly NamedCustomer[] | null) => ({
  customers: named && namesOf(named),
  phones: new Map(named?.map(({ id, phone }) => [id, phone])),
});

/** Names by id; null where crm can't say. */
export async function customerNames(
  customers: Pick<CustomersClient, 'byIds'>,
  by: By,
  ids: number[],
): Promise<ReadonlyMap<number, string> | null> {
  return namesAndPhones(await namedCustomers(customers, by, ids)).customers;
}
