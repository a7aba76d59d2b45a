import { AppError } from '@frontdesk/service';
import type { CustomersClient } from '../clients/customers.client.ts';
import { customerLines } from '../domain/customers/customers-csv.ts';
import type { CustomersFilter } from '../domain/customers/customers-query.ts';
import { textsIn } from '../domain/shared/addresses.ts';

/** The most that the list has on a page. */
const PER_PAGE = '100';

/**
 * All customers that the filter lets through as lines of a CSV file, a page at a time: however many they are, one page is in memory. They
 * come in the order in which they were added, which changes of customers don't disturb. `onLines` hears how many there are. The file breaks
 * off where `isSignedIn` says no: it is asked again before each page.
 * @throws AppError `unauthorized` then; where crm is away
 */
export async function* exportCustomers(
  customers: Pick<CustomersClient, 'list'>,
  tenantId: number,
  filter: CustomersFilter,
  { onLines, isSignedIn }: { onLines: (count: number) => void; isSignedIn: () => Promise<boolean> },
): AsyncGenerator<string> {
  let cursor: string | undefined;
  let isFirst = true;
  do {
    if (!isFirst && !(await isSignedIn())) throw new AppError('unauthorized', 'Please sign in.');
    const query = { ...textsIn(filter), sort: 'created_at', per_page: PER_PAGE, ...(cursor && { cursor }) };
    const { rows, next_cursor } = await customers.list(tenantId, query);
    yield customerLines(rows, { isFirst });
    onLines(rows.length);
    isFirst = false;
    cursor = next_cursor;
  } while (cursor !== undefined);
}
