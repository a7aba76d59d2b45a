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
import { isBackwards } from '../ui/addresses.rules.ts';
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
  sources: CallSource[] | null;
}

const idsOf = (calls: readonly CallListAdminEntry[]): number[] => [
  ...new Set(calls.flatMap(({ customer_id }) => customer_id ?? [])),
];

/** One page of the calls that fit the filter, as programs or as pages ask for them. */
export const findCalls = (
  { calls }: Clients,
  tenantId: number,
  filter: CallFilter,
  { isPage } = { isPage: false },
): Promise<CallPage> =>
  isBackwards(filter)
    ? Promise.resolve({ rows: [], total: 0 })
    : calls.list(tenantId, callQuery(filter, { isPage }));

/** Those of a page, with the names of their customers. */
export async function findNamedCalls(
  clients: Clients,
  tenantId: number,
  filter: CallFilter,
): Promise<NamedCalls> {
  const calls = await orNull(findCalls(clients, tenantId, filter, { isPage: true }));
  return { calls, names: await customerNames(clients.customers, tenantId, idsOf(calls?.rows ?? [])) };
}

/** The same with what the list says beside. `mergedInto`: where the filter names a merged customer, the one who has their calls now. */
export async function loadCalls(
  clients: Clients,
  tenantId: number,
  filter: CallFilter,
): Promise<LoadedCalls & { mergedInto: number | null }> {
  const [tenant, sources, found, customer] = await Promise.all([
    orNull(clients.gateway.tenant(tenantId)),
    orNull(clients.calls.sources(tenantId)),
    findNamedCalls(clients, tenantId, filter),
    filter.customer_id && orMerged(clients.customers.find(tenantId, Number(filter.customer_id))),
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
export async function findNamedCallBacks(clients: Clients, tenantId: number): Promise<NamedCallBacks> {
  const callBacks = await orNull(clients.calls.callBacks(tenantId, SHOWN_CALL_BACKS));
  const rows = callBacks ? [...callBacks.open, ...callBacks.done] : [];
  return { callBacks, names: await customerNames(clients.customers, tenantId, idsOf(rows)) };
}

export interface LoadedCallBacks extends NamedCallBacks {
  region: Region;
}

export async function loadCallBacks(clients: Clients, tenantId: number): Promise<LoadedCallBacks> {
  const [tenant, found] = await Promise.all([
    orNull(clients.gateway.tenant(tenantId)),
    findNamedCallBacks(clients, tenantId),
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
export async function loadCall(clients: Clients, tenantId: number, id: number): Promise<LoadedCall> {
  const [tenant, call] = await Promise.all([
    orNull(clients.gateway.tenant(tenantId)),
    clients.calls.find(tenantId, id),
  ]);
  const { customer_id } = call;
  const [customerSummary, appointment] = await Promise.all([
    customer_id === null ? null : loadSummary(clients, tenantId, customer_id),
    call.appointment_id === null
      ? null
      : orAbsent(clients.appointments.appointment(tenantId, call.appointment_id)),
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
