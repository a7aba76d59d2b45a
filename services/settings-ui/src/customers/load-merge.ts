import type { Customer, CustomerListEntry } from '@frontdesk/contracts';
import type { Versioned } from '@frontdesk/service';
import type { Clients } from '../clients/clients.ts';
import { orNull } from '../clients/or-null.ts';
import { isSearchable } from '../search/search.rules.ts';
import type { By } from '../session/session.rules.ts';
import { type FoundCustomer, findCustomers } from './find-customers.ts';
import { orMerged } from './load-customer.ts';
import { beginningOf, type Candidate, candidatesFor } from './merge.rules.ts';

/** What will belong to the other one; null where its service can't say in time. */
export interface Belongings {
  appointments: Counted | null;
  calls: Counted | null;
}

interface Counted {
  total: number;
  total_is_estimate?: true | undefined;
}

/** The other customer of a merge. */
export interface OtherCustomer extends Versioned<Customer> {
  belongings: Belongings;
}

/**
 * Who becomes part of another customer. Where they were merged meanwhile, that is the one who has all of theirs now: `isPartOf`.
 * @returns null where the business has no such customer
 */
export async function loadOther(
  clients: Pick<Clients, 'customers' | 'calls'>,
  by: By,
  id: number,
): Promise<{ other: OtherCustomer; isPartOf: boolean } | null> {
  const { customers, calls } = clients;
  const [found, appointments, listed] = await Promise.all([
    orMerged(customers.find(by, id)),
    orNull(customers.appointmentCount(by, id)),
    orNull(calls.list(by, { customer_id: String(id), per_page: '1' })),
  ]);
  if (typeof found === 'number') {
    const next = await loadOther(clients, by, found);
    return next && { other: next.other, isPartOf: true };
  }
  return found && { other: { ...found, belongings: { appointments, calls: listed } }, isPartOf: false };
}

/** Who may be the same person; null where crm can't say in time. */
export async function loadCandidates(
  { customers }: Pick<Clients, 'customers'>,
  by: By,
  customer: CustomerListEntry,
): Promise<Candidate[] | null> {
  const search = beginningOf(customer.name);
  const listed = async (text: string) =>
    isSearchable(text) ? (await customers.list(by, { search: text, per_page: '10' })).rows : [];
  const found = await orNull(
    Promise.all([
      listed(customer.email ?? ''),
      listed(search),
      isSearchable(search) ? customers.similar(by, { search }) : [],
    ]),
  );
  if (found === null) return null;
  const [byEmail, named, similar] = found;
  return candidatesFor(customer, { byEmail, byName: [...named, ...similar] });
}

/** Who is found by a text, without this customer; null where crm can't say in time. */
export async function findOthers(
  clients: Pick<Clients, 'customers'>,
  by: By,
  { id, text }: { id: number; text: string },
): Promise<FoundCustomer[] | null> {
  const found = await orNull(findCustomers(clients, by, text));
  return found === null ? null : found.filter((customer) => customer.id !== id);
}
