import {
  type Bookability,
  type Call,
  MAX_ALTERNATIVES,
  type ServiceAdmin,
  type Slot,
  type TenantView,
} from '@frontdesk/contracts';
import { type AppError, invalid } from '@frontdesk/service';
import type { Clients } from '../clients/clients.ts';
import { orAbsent, orNull } from '../clients/or-null.ts';
import type { FoundCustomer } from '../customers/find-customers.ts';
import { type CustomerSummary, loadSummary } from '../customers/load-customer.ts';
import type { BookingQuery } from '../records/booking-query.rules.ts';
import { dateIn } from '../region/dates.rules.ts';
import { type Region, regionOf } from '../region/region.rules.ts';
import type { By } from '../session/session.rules.ts';
import { findFreeTimes, type NextFreeTimes } from './find-free-times.ts';
import { hasStart, nearestSlots } from './free-times.rules.ts';

/** A service that can be booked, and who performs it; empty in a business without staff. */
export interface BookableService extends ServiceAdmin {
  performers: { id: number; name: string }[];
}

export interface LoadedBooking {
  tenant: TenantView | null;
  region: Region;
  today: string;
  /** Those of the chosen staff member, if they perform any; null where scheduling couldn't say in time. */
  services: BookableService[] | null;
  service: BookableService | null;
  /** The name of the chosen service, where it can't be booked now. */
  unbookable: string | null;
  /** The chosen staff member, if they perform the service; null: anyone who is free. */
  staff: { id: number; name: string } | null;
  /** What is known of who is booked for; null where the address names nobody. */
  customerSummary: CustomerSummary | null;
  /** Who that is, as far as crm can say. */
  customer: FoundCustomer | null;
  /** The call in which it is booked, also one that can't be shown now. */
  callId: number | undefined;
  /** Null where there is none, or calls can't say. */
  call: Call | null;
}

/** What every step of a booking shows. */
export async function loadBooking(
  clients: Clients,
  by: By,
  query: Partial<BookingQuery>,
): Promise<LoadedBooking> {
  const { gateway, scheduling, calls } = clients;
  const { customer_id, call_id } = query;
  const [tenant, all, bookability, call] = await Promise.all([
    orNull(gateway.tenant(by)),
    orNull(scheduling.services.list(by)),
    orNull(scheduling.bookability(by)),
    call_id === undefined ? null : orAbsent(calls.find(by, call_id)),
  ]);
  const region = regionOf({ tenant });
  const every = all && bookability && bookable(all, bookability);
  const services = every && performedBy(every, query.staff_id);
  const service = query.service_id === undefined ? onlyOne(services) : serviceOf(every, query.service_id);
  const asked = service === null && every ? all.find(({ id }) => id === query.service_id) : undefined;
  const customerId = customer_id ?? call?.customer_id ?? undefined;
  const customerSummary = customerId === undefined ? null : await loadSummary(clients, by, customerId);
  return {
    tenant,
    region,
    today: dateIn(region.zone, Date.now()),
    services,
    service,
    unbookable: asked?.name ?? null,
    customerSummary,
    customer: customerSummary?.customer
      ? { ...customerSummary.customer, no_shows: customerSummary.noShows }
      : null,
    callId: call_id,
    call,
    staff: staffOf(service ? [service] : (every ?? []), query.staff_id),
  };
}

function bookable(services: ServiceAdmin[], { services: judged, staff }: Bookability): BookableService[] {
  const judgedOf = new Map(judged.map((one) => [one.id, one]));
  return services
    .filter(({ id }) => judgedOf.get(id)?.obstacle === null)
    .map((service) => {
      const ids = judgedOf.get(service.id)?.staff_ids ?? [];
      return { ...service, performers: staff.filter(({ id }) => ids.includes(id)) };
    })
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** What somebody performs; all of it where that is nothing, or anybody will do. */
function performedBy(services: BookableService[], staffId: number | undefined): BookableService[] {
  const own = services.filter(({ performers }) => performers.some(({ id }) => id === staffId));
  return own.length > 0 ? own : services;
}

/** Before a service is chosen, they perform any of them. */
const staffOf = (services: readonly BookableService[], id: number | undefined) =>
  services.flatMap(({ performers }) => performers).find((performer) => performer.id === id) ?? null;

const serviceOf = (services: BookableService[] | null, id: number): BookableService | null =>
  services?.find((service) => service.id === id) ?? null;

/** Nobody has to choose among one. */
const onlyOne = (services: BookableService[] | null): BookableService | null =>
  services?.length === 1 ? (services[0] ?? null) : null;

/** The free times of a step; null where scheduling couldn't say in time. */
export const loadFreeTimes = (
  { appointments }: { appointments: Pick<Clients['appointments'], 'slots'> },
  by: By,
  asked: { service_id: number; staff_id: number | undefined },
  from: string,
): Promise<NextFreeTimes | null> => orNull(findFreeTimes(appointments, by, asked, from));

interface Wanted {
  service_id: number;
  staff_id: number | undefined;
  date: string;
  time: string;
}

/** Whether a time is offered; null where scheduling couldn't say in time. */
export async function isOffered(
  { appointments }: Pick<Clients, 'appointments'>,
  by: By,
  { time, ...asked }: Wanted,
): Promise<boolean | null> {
  const slots = await orNull(appointments.slots(by, { ...asked, date_to: undefined }));
  return slots && hasStart(slots, time);
}

/** Why a service can't be had at a time; null where it can, or nobody could say in time. */
export async function refusalOfTime(
  clients: Pick<Clients, 'appointments'>,
  by: By,
  wanted: Wanted,
): Promise<AppError | null> {
  const isRefused = (await isOffered(clients, by, wanted)) === false;
  return isRefused ? invalid({ appointment_time: ['This time isn’t available for the service.'] }) : null;
}

/** What is free in place of a time that was refused: what scheduling offers, or else what is near it on its day. */
export async function alternativesTo(
  { appointments }: Pick<Clients, 'appointments'>,
  by: By,
  refused: AppError,
  { time, ...asked }: Wanted,
): Promise<Slot[]> {
  const { alternatives } = (refused.data ?? {}) as { alternatives?: Slot[] };
  if (alternatives) return alternatives;
  if (!refused.errors?.appointment_time) return [];
  const slots = await orNull(appointments.slots(by, { ...asked, date_to: undefined }));
  return nearestSlots(slots ?? [], time, MAX_ALTERNATIVES);
}
