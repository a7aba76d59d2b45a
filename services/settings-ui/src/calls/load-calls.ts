import type {
  AppointmentAdmin,
  CallAdmin,
  CallBacks,
  CallListAdminEntry,
  CallSource,
} from '@frontdesk/contracts';
import type { Clients } from '../clients/clients.ts';
import { orAbsent, orNull } from '../clients/or-null.ts';
import { customerNames } from '../customers/customer-names.ts';
import { type CustomerSummary, loadSummary, orMerged } from '../customers/load-customer.ts';
import { namesOf } from '../records/names.rules.ts';
import { type Region, regionOf } from '../region/region.rules.ts';
import type { By } from '../session/session.rules.ts';
import { isBackwards } from '../ui/addresses.rules.ts';
import { ifAllowed } from '../ui/page-scopes.rules.ts';
import { SHOWN_CALL_BACKS } from './call-backs.rules.ts';
import { type CallFilter, callQuery } from './call-filter.rules.ts';

type Names = ReadonlyMap<number, string> | null;
type CallPage = { rows: CallListAdminEntry[]; total: number };

/** Null: its service couldn't say in time. */
export interface NamedCalls {
  calls: CallPage | null;
  /** Of customers, by id. */
  names: Names;
}

export interface LoadedCalls extends NamedCalls {
  region: Region;
  /** Undefined where the member may not see them. */
  sources: CallSource[] | null | undefined;
}

const idsOf = (calls: readonly CallListAdminEntry[]): number[] => [
  ...new Set(calls.flatMap(({ customer_id }) => customer_id ?? [])),
];

/** One page of the calls that fit the filter, as programs or as pages ask for them. */
export const findCalls = (
  { calls }: Clients,
  by: By,
  filter: CallFilter,
  { isPage } = { isPage: false },
): Promise<CallPage> =>
  isBackwards(filter)
    ? Promise.resolve({ rows: [], total: 0 })
    : calls.list(by, callQuery(filter, { isPage }));

/** Those of a page, with the names of their customers. */
export async function findNamedCalls(clients: Clients, by: By, filter: CallFilter): Promise<NamedCalls> {
  const calls = await orNull(findCalls(clients, by, filter, { isPage: true }));
  return { calls, names: await customerNames(clients.customers, by, idsOf(calls?.rows ?? [])) };
}

/** The same with what the list says beside. `mergedInto`: where the filter names a merged customer, the one who has their calls now. */
export async function loadCalls(
  clients: Clients,
  by: By,
  filter: CallFilter,
): Promise<LoadedCalls & { mergedInto: number | null }> {
  const [tenant, sources, found, customer] = await Promise.all([
    orNull(clients.gateway.tenant(by)),
    ifAllowed(by, 'settings:sources', () => orNull(clients.calls.sources(by))),
    findNamedCalls(clients, by, filter),
    filter.customer_id && orMerged(clients.customers.find(by, Number(filter.customer_id))),
  ]);
  const mergedInto = typeof customer === 'number' ? customer : null;
  return { region: regionOf({ tenant }), sources, mergedInto, ...found };
}

export interface NamedCallBacks {
  /** Null: calls couldn't say in time. */
  callBacks: CallBacks | null;
  names: Names;
}

/** Who missed callers of the last days are: those to call back, and the latest that were. */
export async function findNamedCallBacks(clients: Clients, by: By): Promise<NamedCallBacks> {
  const callBacks = await orNull(clients.calls.callBacks(by, SHOWN_CALL_BACKS));
  const rows = callBacks ? [...callBacks.open, ...callBacks.done] : [];
  return { callBacks, names: await customerNames(clients.customers, by, idsOf(rows)) };
}

export interface LoadedCallBacks extends NamedCallBacks {
  region: Region;
}

export async function loadCallBacks(clients: Clients, by: By): Promise<LoadedCallBacks> {
  const [tenant, found] = await Promise.all([
    orNull(clients.gateway.tenant(by)),
    findNamedCallBacks(clients, by),
  ]);
  return { region: regionOf({ tenant }), ...found };
}

export interface LoadedCall {
  region: Region;
  call: CallAdmin;
  names: Names;
  /** Null where nobody is known by the number. */
  customerSummary: CustomerSummary | null;
  /** The appointment that the call led to; null where there is none, or scheduling can't say. */
  appointment: AppointmentAdmin | null;
}

/** @throws AppError 404 */
export async function loadCall(clients: Clients, by: By, id: number): Promise<LoadedCall> {
  const [tenant, call] = await Promise.all([orNull(clients.gateway.tenant(by)), clients.calls.find(by, id)]);
  const { customer_id } = call;
  const [customerSummary, appointment] = await Promise.all([
    customer_id === null ? null : loadSummary(clients, by, customer_id),
    call.appointment_id === null ? null : orAbsent(clients.appointments.appointment(by, call.appointment_id)),
  ]);
  const customer = customerSummary?.customer;
  return {
    region: regionOf({ tenant }),
    call,
    names: customer ? namesOf([customer]) : null,
    customerSummary,
    appointment: appointment?.record ?? null,
  };
}
