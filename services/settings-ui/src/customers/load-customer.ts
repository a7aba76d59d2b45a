import type { Appointment, CallListEntry, Customer } from '@frontdesk/contracts';
import type { ListPage } from '@frontdesk/service';
import type { Clients } from '../clients/clients.ts';
import { orNull } from '../clients/or-null.ts';
import type { CustomerQuery } from '../records/customers-query.rules.ts';
import { type Region, regionOf } from '../region/region.rules.ts';

export const APPOINTMENTS_PER_PAGE = 10;
export const CALLS_PER_PAGE = 10;

/** What a customer's page is made of. Null: its service couldn't say in time. */
export interface LoadedCustomer {
  customer: Customer;
  region: Region;
  /** What is scheduled from now on, the next one first. */
  coming: ListPage<Appointment[]> | null;
  /** What was, and what is coming no more, the latest first. */
  past: ListPage<Appointment[]> | null;
  calls: ListPage<CallListEntry[]> | null;
  /** How many appointments were missed. */
  noShows: number | null;
  /** Names by id. */
  services: ReadonlyMap<number, string>;
  staff: ReadonlyMap<number, string>;
}

/** What the cards of a customer's page are drawn from. */
export interface CustomerPage extends LoadedCustomer {
  /** Which pages of the lists are shown. */
  query: CustomerQuery;
  now: number;
}

/** A customer with all that the services know of it. @throws AppError 404; where crm is away too */
export async function loadCustomer(
  { gateway, customers, scheduling, calls }: Clients,
  tenantId: number,
  id: number,
  pages: CustomerQuery,
): Promise<LoadedCustomer> {
  const appointments = (isComing: boolean, page: string | undefined) =>
    orNull(customers.appointments(tenantId, id, { isComing, ...paging(page, APPOINTMENTS_PER_PAGE) }));
  const [{ record: customer }, tenant, coming, past, latestCalls, services, staff, noShows] =
    await Promise.all([
      customers.find(tenantId, id),
      orNull(gateway.tenant(tenantId)),
      appointments(true, pages.coming),
      appointments(false, pages.visits),
      orNull(calls.list(tenantId, { customer_id: String(id), ...paging(pages.calls, CALLS_PER_PAGE) })),
      orNull(scheduling.services.list(tenantId)),
      orNull(scheduling.staff.list(tenantId)),
      orNull(customers.noShows(tenantId, id)),
    ]);
  return {
    customer,
    noShows,
    region: regionOf({ tenant }),
    coming,
    past,
    calls: latestCalls,
    services: namesOf(services),
    staff: namesOf(staff),
  };
}

const paging = (page = '1', perPage: number) => ({ page, per_page: String(perPage) });

const namesOf = (records: { id: number; name: string }[] | null): ReadonlyMap<number, string> =>
  new Map(records?.map(({ id, name }) => [id, name]));
