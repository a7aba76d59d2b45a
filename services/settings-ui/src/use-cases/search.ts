import type {
  Appointment,
  AppointmentAdmin,
  Call,
  CallListEntry,
  CustomerListEntry,
} from '@frontdesk/contracts';
import type { Clients } from '../clients/clients.ts';
import { isSearchable, type NamedPage, pagesNamed, recordNumber } from '../domain/search.ts';
import { type Region, regionOf } from '../domain/shared/region.ts';
import { orAbsent, orNull } from './or-null.ts';

const MOST_CUSTOMERS = '6';
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
  /** With the text as their number. */
  appointment: AppointmentAdmin | null;
  call: Call | null;
}

/** Pages by their names, customers by what they are called or how they are reached, appointments and calls by number or customer. */
export async function search(clients: Clients, tenantId: number, text: string): Promise<Found> {
  const { gateway, appointments, calls } = clients;
  const number = recordNumber(text);
  const [tenant, customers, appointment, call] = await Promise.all([
    orNull(gateway.tenant(tenantId)),
    isSearchable(text) ? orNull(customersFound(clients, tenantId, text)) : [],
    number === null ? null : orAbsent(appointments.appointment(tenantId, number)),
    number === null ? null : orAbsent(calls.find(tenantId, number)),
  ]);
  return {
    ...{ region: regionOf({ tenant }), pages: pagesNamed(text), customers },
    ...{ appointment: appointment?.record ?? null, call },
  };
}

async function customersFound(
  { customers, calls }: Clients,
  tenantId: number,
  text: string,
): Promise<CustomerFound[]> {
  const { rows } = await customers.list(tenantId, { search: text, per_page: MOST_CUSTOMERS });
  return Promise.all(
    rows.map(async (customer, place) => {
      if (place >= CUSTOMERS_WITH_RECORDS) return { customer, appointments: [], calls: [] };
      const id = customer.id;
      const first = { page: '1', per_page: String(RECORDS_OF_CUSTOMER) };
      const [coming, past, theirCalls] = await Promise.all([
        orNull(customers.appointments(tenantId, id, { isComing: true, ...first })),
        orNull(customers.appointments(tenantId, id, { isComing: false, ...first })),
        orNull(calls.list(tenantId, { customer_id: String(id), per_page: first.per_page })),
      ]);
      const appointments = [...(coming?.rows ?? []), ...(past?.rows ?? [])].slice(0, RECORDS_OF_CUSTOMER);
      return { customer, appointments, calls: theirCalls?.rows ?? [] };
    }),
  );
}
