import type { Day, TenantView } from '@frontdesk/contracts';
import type { Versioned } from '@frontdesk/service';
import type { AppointmentsClient } from '../clients/appointments.client.ts';
import type { Clients } from '../clients/clients.ts';
import type { CustomersClient } from '../clients/customers.client.ts';
import { type Region, regionOf } from '../domain/shared/region.ts';
import { customerNames } from './customer-names.ts';
import { orNull } from './or-null.ts';

/** What a page of days is made of. Null: its service couldn't say in time. */
export interface LoadedDays {
  tenant: TenantView | null;
  region: Region;
  days: Day[] | null;
  /** By id. */
  customers: ReadonlyMap<number, string> | null;
}

/** Days are drawn by the clocks that they were read by. */
const regionOfDays = (tenant: TenantView | null, [first]: readonly Day[]): Region =>
  regionOf({ tenant }, first?.timezone);

type ReadDays = (appointments: AppointmentsClient) => Promise<Day[]>;

export const theDay =
  (tenantId: number, date: string): ReadDays =>
  async (appointments) => [await appointments.day(tenantId, date)];

export const theWeek =
  (tenantId: number, date: string): ReadDays =>
  (appointments) =>
    appointments.week(tenantId, date);

/** Days and their ETag; null while they are still what `seen`, an earlier one, stands for. */
type ReadChangedDays = (
  appointments: AppointmentsClient,
  seen: string | undefined,
) => Promise<Versioned<Day[]> | null>;

export const theChangedDay =
  (tenantId: number, date: string): ReadChangedDays =>
  async (appointments, seen) => {
    const changed = await appointments.changedDay(tenantId, date, seen);
    return changed && { ...changed, record: [changed.record] };
  };

export const theChangedWeek =
  (tenantId: number, date: string): ReadChangedDays =>
  (appointments, seen) =>
    appointments.changedWeek(tenantId, date, seen);

/** Days, and who their customers are. */
export async function loadDays(
  { gateway, appointments, customers }: Clients,
  tenantId: number,
  read: ReadDays,
): Promise<LoadedDays> {
  const [tenant, days] = await Promise.all([orNull(gateway.tenant(tenantId)), orNull(read(appointments))]);
  const names = await customersOf(customers, tenantId, days ?? []);
  return { tenant, region: regionOfDays(tenant, days ?? []), days, customers: names };
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
 * The same days a moment later. Scheduling is only asked whether they have changed; the others, when something has, a minute has passed,
 * or somebody didn't answer. Until they do, names stay as they were.
 */
export async function followDays(
  clients: Clients,
  tenantId: number,
  read: ReadChangedDays,
  before: FollowedDays | undefined,
): Promise<FollowedDays> {
  const { gateway, appointments } = clients;
  const changed = await read(appointments, before?.etag);
  const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  if (before?.isWhole && before.now === now && !changed) return before;
  const { record: days, etag } = changed ?? { record: before?.days ?? [], etag: before?.etag ?? '' };
  const [tenant, customers] = await Promise.all([
    orNull(gateway.tenant(tenantId)),
    customersOf(clients.customers, tenantId, days),
  ]);
  const isWhole = tenant !== null && customers !== null;
  const known = {
    tenant: tenant ?? before?.tenant ?? null,
    customers: customers ?? before?.customers ?? null,
  };
  const region = regionOfDays(known.tenant, days);
  return { ...known, region, isWhole, days, etag, now, drawn: new Map() };
}

/** crm names so many at once. Where there are more, the last of them keep their numbers. */
const MOST_NAMED = 10_000;

const customersOf = (customers: Pick<CustomersClient, 'byIds'>, tenantId: number, days: readonly Day[]) => {
  const all = days.flatMap(({ columns }) => columns).flatMap((column) => column.appointments);
  const ids = new Set(all.map(({ customer_id }) => customer_id));
  return customerNames(customers, tenantId, [...ids].slice(0, MOST_NAMED));
};
