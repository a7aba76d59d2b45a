import type { Day, NamedCustomer, TenantView } from '@frontdesk/contracts';
import type { Versioned } from '@frontdesk/service';
import type { AppointmentsClient } from '../clients/appointments.client.ts';
import type { Clients } from '../clients/clients.ts';
import type { CustomersClient } from '../clients/customers.client.ts';
import { orNull } from '../clients/or-null.ts';
import { namedCustomers, namesAndPhones } from '../customers/customer-names.ts';
import { type Region, regionOf } from '../region/region.rules.ts';
import type { By } from '../session/session.rules.ts';

/** What a page of days is made of. Null: its service couldn't say in time. */
export interface LoadedDays {
  tenant: TenantView | null;
  region: Region;
  days: Day[] | null;
  /** Names by id. */
  customers: ReadonlyMap<number, string> | null;
  /** By customer, as far as they are known. */
  phones: ReadonlyMap<number, string>;
}

/** Days are drawn by the clocks that they were read by. */
const regionOfDays = (tenant: TenantView | null, [first]: readonly Day[]): Region =>
  regionOf({ tenant }, first?.timezone);

type ReadDays = (appointments: AppointmentsClient) => Promise<Day[]>;

export const theDay =
  (by: By, date: string): ReadDays =>
  async (appointments) => [await appointments.day(by, date)];

export const theWeek =
  (by: By, date: string): ReadDays =>
  (appointments) =>
    appointments.week(by, date);

/** Days and their ETag; null while they are still what `seen`, an earlier one, stands for. */
type ReadChangedDays = (
  appointments: AppointmentsClient,
  seen: string | undefined,
) => Promise<Versioned<Day[]> | null>;

export const theChangedDay =
  (by: By, date: string): ReadChangedDays =>
  async (appointments, seen) => {
    const changed = await appointments.changedDay(by, date, seen);
    return changed && { ...changed, record: [changed.record] };
  };

export const theChangedWeek =
  (by: By, date: string): ReadChangedDays =>
  (appointments, seen) =>
    appointments.changedWeek(by, date, seen);

/** Days, and who their customers are. */
export async function loadDays(
  { gateway, appointments, customers }: Clients,
  by: By,
  read: ReadDays,
): Promise<LoadedDays> {
  const [tenant, days] = await Promise.all([orNull(gateway.tenant(by)), orNull(read(appointments))]);
  const named = await customersOf(customers, by, days ?? []);
  return { tenant, region: regionOfDays(tenant, days ?? []), days, ...namesAndPhones(named) };
}

/** What is drawn of days for all who follow them. */
export interface FollowedDays extends LoadedDays {
  days: Day[];
  /** What scheduling calls them: it says whether they have changed. */
  etag: string;
  /** Whether everybody who was asked has answered. */
  isWhole: boolean;
  /** The minute that it is drawn for. */
  now: number;
  /** The events that show it, by the variant. */
  drawn: Map<string, Buffer>;
}

const MINUTE_MS = 60_000;

/**
 * The same days a moment later. Scheduling is only asked whether they have changed; the others, when something has, a
 * minute has passed, or somebody didn't answer. Until they do, names stay as they were.
 */
export async function followDays(
  clients: Clients,
  by: By,
  read: ReadChangedDays,
  before: FollowedDays | undefined,
): Promise<FollowedDays> {
  const { gateway, appointments } = clients;
  const changed = await read(appointments, before?.etag);
  const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  if (before?.isWhole && before.now === now && !changed) return before;
  const { record: days, etag } = changed ?? { record: before?.days ?? [], etag: before?.etag ?? '' };
  const [tenant, customers] = await Promise.all([
    orNull(gateway.tenant(by)),
    customersOf(clients.customers, by, days),
  ]);
  const isWhole = tenant !== null && customers !== null;
  const known = customers === null && before ? before : namesAndPhones(customers);
  const shown = {
    tenant: tenant ?? before?.tenant ?? null,
    customers: known.customers,
    phones: known.phones,
  };
  const region = regionOfDays(shown.tenant, days);
  return { ...shown, region, isWhole, days, etag, now, drawn: new Map() };
}

function customersOf(
  customers: Pick<CustomersClient, 'byIds'>,
  by: By,
  days: readonly Day[],
): Promise<NamedCustomer[] | null> {
  const all = days.flatMap(({ columns }) => columns).flatMap((column) => column.appointments);
  return namedCustomers(
    customers,
    by,
    all.map(({ customer_id }) => customer_id),
  );
}
