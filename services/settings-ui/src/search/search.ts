import type {
  Appointment,
  AppointmentAdmin,
  Call,
  CallListEntry,
  CustomerListEntry,
} from '@frontdesk/contracts';
import { AppError } from '@frontdesk/service';
import type { Clients } from '../clients/clients.ts';
import { orAbsent, orNull } from '../clients/or-null.ts';
import { type Region, regionOf } from '../region/region.rules.ts';
import type { By } from '../session/session.rules.ts';
import {
  asksForSimilar,
  isSearchable,
  type NamedPage,
  type NamedRecord,
  pagesNamed,
  recordNumber,
  recordsNamed,
} from './search.rules.ts';

const MOST_CUSTOMERS = 6;
/** Of so many of the customers that were found, what is theirs is listed too. */
const CUSTOMERS_WITH_RECORDS = 2;
const RECORDS_OF_CUSTOMER = 3;

export interface CustomerFound {
  customer: CustomerListEntry;
  appointments: Appointment[];
  calls: CallListEntry[];
}

/** What a text finds. Null: its service couldn't say in time. */
export interface Found {
  region: Region;
  pages: NamedPage[];
  customers: CustomerFound[] | null;
  /** Customers whose names are like the text, but don't hold it. */
  similar: CustomerListEntry[];
  staff: NamedRecord[] | null;
  services: NamedRecord[] | null;
  /** With the text as their number. */
  appointment: AppointmentAdmin | null;
  call: Call | null;
}

/**
 * Pages, staff and services by their names, customers by what they are called or how they are reached, appointments and
 * calls by number or customer.
 */
export async function search(clients: Clients, by: By, text: string): Promise<Found> {
  const { gateway, appointments, calls, scheduling } = clients;
  const number = recordNumber(text);
  const named = async (list: typeof scheduling.staff.list | typeof scheduling.services.list) => {
    if (!isSearchable(text)) return [];
    const records = await orNull<NamedSource[]>(list(by).catch(noneWithoutBusiness));
    return records && recordsNamed(records, text);
  };
  const [tenant, found, appointment, call, staff, services] = await Promise.all([
    orNull(gateway.tenant(by)),
    isSearchable(text) ? orNull(customersFound(clients, by, text)) : NO_CUSTOMERS,
    number === null ? null : orAbsent(appointments.appointment(by, number)),
    number === null ? null : orAbsent(calls.find(by, number)),
    named(scheduling.staff.list),
    named(scheduling.services.list),
  ]);
  return {
    region: regionOf({ tenant }),
    pages: pagesNamed(text, by),
    customers: found?.customers ?? null,
    similar: found?.similar ?? [],
    staff,
    services,
    appointment: appointment?.record ?? null,
    call,
  };
}

/** A business that has not been set up has no staff and no services. */
function noneWithoutBusiness(error: unknown): [] {
  if (error instanceof AppError && error.status === 404) return [];
  throw error;
}

type NamedSource = Omit<NamedRecord, 'is_similar'>;

const NO_CUSTOMERS = { customers: [], similar: [] };

async function customersFound(
  clients: Clients,
  by: By,
  text: string,
): Promise<{ customers: CustomerFound[]; similar: CustomerListEntry[] }> {
  const { customers } = clients;
  const query = { search: text, per_page: String(MOST_CUSTOMERS) };
  const { rows, total } = await customers.list(by, query);
  const isSimilar = asksForSimilar(text, total);
  const [found, similar] = await Promise.all([
    withRecords(clients, by, rows),
    isSimilar ? orNull(customers.similar(by, { search: text })) : [],
  ]);
  return { customers: found, similar: (similar ?? []).slice(0, MOST_CUSTOMERS) };
}

/** Customers with their appointments and calls, as far as these can be had. */
function withRecords(
  { customers, calls }: Clients,
  by: By,
  rows: CustomerListEntry[],
): Promise<CustomerFound[]> {
  return Promise.all(
    rows.map(async (customer, place) => {
      if (place >= CUSTOMERS_WITH_RECORDS) return { customer, appointments: [], calls: [] };
      const id = customer.id;
      const first = { page: '1', per_page: String(RECORDS_OF_CUSTOMER) };
      const [coming, past, theirCalls] = await Promise.all([
        orNull(customers.appointments(by, id, { isComing: true, ...first })),
        orNull(customers.appointments(by, id, { isComing: false, ...first })),
        orNull(calls.list(by, { customer_id: String(id), per_page: first.per_page })),
      ]);
      const appointments = [...(coming?.rows ?? []), ...(past?.rows ?? [])].slice(0, RECORDS_OF_CUSTOMER);
      return { customer, appointments, calls: theirCalls?.rows ?? [] };
    }),
  );
}
