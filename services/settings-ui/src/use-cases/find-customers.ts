import type { CustomerListEntry } from '@frontdesk/contracts';
import type { Clients } from '../clients/clients.ts';
import { isSearchable } from '../domain/search.ts';

export type FoundCustomer = Pick<CustomerListEntry, 'id' | 'name' | 'phone' | 'email'>;

/** As many as a glance takes in. To see fewer, people type on. */
const MOST = '8';

/** Who has this in a name, an email or a number. */
export async function findCustomers(
  { customers }: Pick<Clients, 'customers'>,
  tenantId: number,
  text: string,
): Promise<FoundCustomer[]> {
  if (!isSearchable(text)) return [];
  const { rows } = await customers.list(tenantId, { search: text.trim(), per_page: MOST });
  return rows.map(({ id, name, phone, email }) => ({ id, name, phone, email }));
}
