import type { Appointment, CallListEntry, Customer } from '@frontdesk/contracts';
import type { ListPage, Versioned } from '@frontdesk/service';
import type { Clients } from '../clients/clients.ts';
import { orAbsent, orNull } from '../clients/or-null.ts';
import type { CustomerQuery } from '../records/customers-query.rules.ts';
import { namesOf } from '../records/names.rules.ts';
import { type Region, regionOf } from '../region/region.rules.ts';
import type { By } from '../session/session.rules.ts';
import { mergedIntoOf } from '../ui/merged-record.ts';

export const APPOINTMENTS_PER_PAGE = 10;
export const CALLS_PER_PAGE = 10;

/** What is known of a customer beside the record. Null: its service couldn't say in time. */
interface CustomerRecords {
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

/** What a customer's page is made of. */
export interface LoadedCustomer extends CustomerRecords {
  customer: Customer;
  region: Region;
}

/** What the cards of a customer's page are drawn from. */
export interface CustomerPage extends LoadedCustomer {
  /** Which pages of the lists are shown. */
  query: CustomerQuery;
  now: number;
}

/** A customer with all that the services know of it. @throws AppError 404; where crm is away too */
export async function loadCustomer(
  clients: Clients,
  by: By,
  id: number,
  pages: CustomerQuery,
): Promise<LoadedCustomer> {
  const [{ record: customer }, tenant, records] = await Promise.all([
    clients.customers.find(by, id),
    orNull(clients.gateway.tenant(by)),
    loadRecords(clients, by, id, {
      pages,
      appointmentsPerPage: APPOINTMENTS_PER_PAGE,
      callsPerPage: CALLS_PER_PAGE,
    }),
  ]);
  return { customer, region: regionOf({ tenant }), ...records };
}

/** A customer, or the id of the one who they are part of by now; null where there is none such, or crm can't say in time. */
export const orMerged = (found: Promise<Versioned<Customer>>) =>
  orAbsent(
    found.catch((error: unknown) => {
      const id = mergedIntoOf(error);
      if (id === null) throw error;
      return id;
    }),
  );

/** A customer as far as the services can say in time, with a few of the appointments and calls. */
export interface CustomerSummary extends CustomerRecords {
  id: number;
  customer: Customer | null;
}

/** Few enough for a glance. One more is loaded, as the page may already show one of them. */
export const MOST_IN_SUMMARY = 3;
const ASKED_FOR_SUMMARY = MOST_IN_SUMMARY + 1;

/** Of a customer who was merged, the summary of the one who they are part of. */
export async function loadSummary(clients: Clients, by: By, id: number): Promise<CustomerSummary> {
  const [found, records] = await Promise.all([
    orMerged(clients.customers.find(by, id)),
    loadRecords(clients, by, id, {
      pages: {},
      appointmentsPerPage: ASKED_FOR_SUMMARY,
      callsPerPage: MOST_IN_SUMMARY,
    }),
  ]);
  if (typeof found === 'number') return loadSummary(clients, by, found);
  return { id, customer: found?.record ?? null, ...records };
}

interface Shown {
  pages: Partial<CustomerQuery>;
  appointmentsPerPage: number;
  callsPerPage: number;
}

async function loadRecords(
  { customers, scheduling, calls }: Clients,
  by: By,
  id: number,
  { pages, appointmentsPerPage, callsPerPage }: Shown,
): Promise<CustomerRecords> {
  const appointments = (isComing: boolean, page: string | undefined) =>
    orNull(customers.appointments(by, id, { isComing, ...paging(page, appointmentsPerPage) }));
  const [coming, past, latestCalls, services, staff, noShows] = await Promise.all([
    appointments(true, pages.coming),
    appointments(false, pages.visits),
    orNull(calls.list(by, { customer_id: String(id), ...paging(pages.calls, callsPerPage) })),
    orNull(scheduling.services.list(by)),
    orNull(scheduling.staff.list(by)),
    orNull(customers.noShows(by, id)),
  ]);
  return { coming, past, calls: latestCalls, noShows, services: namesOf(services), staff: namesOf(staff) };
}

const paging = (page = '1', perPage: number) => ({ page, per_page: String(perPage) });
