import type { CustomerListEntry } from '@frontdesk/contracts';
import type { Clients } from '../clients/clients.ts';
import { orNull } from '../clients/or-null.ts';
import { asksForSimilar, isSearchable } from '../search/search.rules.ts';
import type { By } from '../session/session.rules.ts';

export interface FoundCustomer extends Pick<CustomerListEntry, 'id' | 'name' | 'phone' | 'email'> {
  /** How many appointments they have missed, as far as somebody has said. */
  no_shows?: number | null;
  /** Whose name is like the text, but doesn't hold it: nobody takes them for who is meant without a look. */
  is_similar?: boolean;
}

/** As many as a glance takes in. To see fewer, people type on. */
const MOST = 8;
/** So few that somebody may be about to choose one of them: of these alone it is asked what they have missed. */
const FEW = 3;

/** The same with how many appointments they have missed. */
const withNoShows = async (
  { customers }: Pick<Clients, 'customers'>,
  by: By,
  customer: FoundCustomer,
): Promise<FoundCustomer> => ({
  ...customer,
  no_shows: await orNull(customers.noShows(by, customer.id)),
});

/** Who has this in a name, an email or a number; where these are few, then who has a similar name. */
export async function findCustomers(
  clients: Pick<Clients, 'customers'>,
  by: By,
  text: string,
): Promise<FoundCustomer[]> {
  const { customers } = clients;
  if (!isSearchable(text)) return [];
  const search = text.trim();
  const { rows, total } = await customers.list(by, { search, per_page: String(MOST) });
  const similar = asksForSimilar(search, total) ? await orNull(customers.similar(by, { search })) : null;
  const shown = (is_similar: boolean) => (customer: CustomerListEntry) => ({
    id: customer.id,
    name: customer.name,
    phone: customer.phone,
    email: customer.email,
    is_similar,
  });
  const found = rows.map(shown(false));
  const known =
    found.length > FEW ? found : await Promise.all(found.map((one) => withNoShows(clients, by, one)));
  return [...known, ...(similar ?? []).slice(0, MOST).map(shown(true))];
}
