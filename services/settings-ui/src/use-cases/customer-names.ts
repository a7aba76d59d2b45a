import type { CustomersClient } from '../clients/customers.client.ts';
import { orNull } from './or-null.ts';

/** Names by id; null where crm can't say. */
export async function customerNames(
  customers: Pick<CustomersClient, 'byIds'>,
  tenantId: number,
  ids: number[],
): Promise<ReadonlyMap<number, string> | null> {
  if (ids.length === 0) return new Map();
  const named = await orNull(customers.byIds(tenantId, ids));
  return named && new Map(named.map(({ id, name }) => [id, name]));
}
