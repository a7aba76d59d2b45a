import type {
  Bookability,
  CallBacks,
  CallSource,
  Day,
  EndpointAdmin,
  NamedCustomer,
  OpenHolds,
  TenantView,
} from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { CALL_BACK_DAYS } from '../calls/call-backs.rules.ts';
import type { Clients } from '../clients/clients.ts';
import { orAbsent, orNull, orUndefined } from '../clients/or-null.ts';
import { namedCustomers, namesAndPhones } from '../customers/customer-names.ts';
import { type Region, regionOf } from '../region/region.rules.ts';
import type { By } from '../session/session.rules.ts';
import { ifAllowed } from '../ui/page-scopes.rules.ts';
import type { FirstStep } from './first-steps.rules.ts';
import { loadFirstSteps } from './load-first-steps.ts';
import { loadQuotaUsage, nearlyFullQuotas } from './nearly-full-quotas.ts';
import type { NearlyFullQuota } from './today.rules.ts';

type TodayDeps = Clients & { database: Database };

/** Callers that Today lists, the others are counted; and the latest that were called back, for the way back. */
const SHOWN_CALL_BACKS = { days: CALL_BACK_DAYS, open: 6, done: 10 };

/** Whose day it is, and what may fail, or run out. */
interface LoadedAround {
  tenant: TenantView | null;
  /** Undefined where the member may not see them. */
  endpoints: EndpointAdmin[] | null | undefined;
  sources: CallSource[] | null | undefined;
  bookability: Bookability | null;
  quotas: NearlyFullQuota[] | null;
  /** Null also where scheduling is of an earlier release, which holds no times. */
  holds: OpenHolds | null | undefined;
}

/** What of Today changes by itself. Null: its service couldn't say in time. */
export interface ShownToday extends LoadedAround {
  region: Region;
  day: Day | null;
  /** Whether it may have changed since: scheduling couldn't say in time. */
  isDayOld?: boolean;
  callBacks: CallBacks | null;
  /** Names of the customers of both, by id. */
  customers: ReadonlyMap<number, string> | null;
  /** By customer, as far as they are known. */
  phones: ReadonlyMap<number, string>;
  now: number;
}

export interface LoadedToday extends ShownToday {
  firstSteps: FirstStep[] | null;
}

/** Today of a business: each service is asked at once, then crm for the names, and a new business's first steps. */
export async function loadToday(deps: TodayDeps, by: By): Promise<LoadedToday> {
  const [day, callBacks, about] = await Promise.all([
    orNull(deps.appointments.day(by, 'today')),
    orNull(deps.calls.callBacks(by, SHOWN_CALL_BACKS)),
    loadAround(deps, by),
  ]);
  const isEmpty = day?.columns.every(({ appointments }) => appointments.length === 0) ?? false;
  const [customers, firstSteps] = await Promise.all([
    customersOf(deps, by, day, callBacks),
    isEmpty && about.bookability ? loadFirstSteps(deps, by, about.bookability) : null,
  ]);
  const region = regionOf(about, day?.timezone);
  return {
    ...about,
    ...namesAndPhones(customers),
    region,
    day,
    callBacks,
    firstSteps,
    now: Date.now(),
  };
}

/** What is known already isn't asked for. */
async function loadAround(deps: TodayDeps, by: By, known?: LoadedAround): Promise<LoadedAround> {
  const [tenant, endpoints, sources, bookability, used, holds] = await Promise.all([
    known?.tenant ?? orNull(deps.gateway.tenant(by)),
    known?.endpoints ?? ifAllowed(by, 'webhooks:write', () => orNull(deps.webhooks.endpoints(by))),
    known?.sources ?? ifAllowed(by, 'settings:sources', () => orNull(deps.calls.sources(by))),
    known?.bookability ?? orNull(deps.scheduling.bookability(by)),
    known?.quotas ? null : loadQuotaUsage(deps, by),
    known?.holds ?? ifAllowed(by, 'appointments:read', () => orAbsent(deps.scheduling.openHolds(by))),
  ]);
  const quotas = known?.quotas ?? (used && nearlyFullQuotas(tenant, used));
  return { tenant, endpoints, sources, bookability, quotas, holds };
}

/** Who comes today, and who has called; null where crm can't say. */
function customersOf(
  { customers }: Clients,
  by: By,
  day: Day | null,
  callBacks: CallBacks | null,
): Promise<NamedCustomer[] | null> {
  return namedCustomers(customers, by, [
    ...(callBacks?.open ?? []).flatMap(({ customer_id }) => customer_id ?? []),
    ...(day?.columns ?? []).flatMap((column) => column.appointments.map(({ customer_id }) => customer_id)),
  ]);
}

/** What is drawn of Today for all who follow it. */
export interface FollowedToday extends ShownToday {
  isDayOld: boolean;
  /** What scheduling calls the day: it says whether it has changed. */
  etag: string | undefined;
  /** Whether crm has said who all of them are. */
  isNamed: boolean;
  /** The event that shows it, by whether the business is suspended. */
  drawn: Map<boolean, Buffer>;
}

const MINUTE_MS = 60_000;

/**
 * Today a moment later. Scheduling is only asked whether the day has changed, and calls for those to call back; the
 * others when a minute has passed, and who didn't answer at once. What was known stays until they do.
 */
export async function followToday(
  deps: TodayDeps,
  by: By,
  before: FollowedToday | undefined,
): Promise<FollowedToday> {
  const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  const known = before?.now === now ? before : undefined;
  // Null: it is as it was. Undefined: nobody can say.
  const [changed, callBacks, asked] = await Promise.all([
    orUndefined(deps.appointments.changedDay(by, 'today', before?.etag)),
    orNull(deps.calls.callBacks(by, SHOWN_CALL_BACKS)),
    loadAround(deps, by, known),
  ]);
  const isDayOld = changed === undefined;
  const isAlike =
    known !== undefined &&
    !changed &&
    isDayOld === known.isDayOld &&
    isSame(asked, known) &&
    JSON.stringify(callBacks) === JSON.stringify(known.callBacks);
  if (isAlike && known.isNamed) return known;
  const { record: day, etag } = changed ?? { record: before?.day ?? null, etag: before?.etag };
  const customers = await customersOf(deps, by, day, callBacks);
  if (isAlike && customers === null) return known;
  const around = { ...asked, tenant: asked.tenant ?? before?.tenant ?? null };
  const named = customers === null && before ? before : namesAndPhones(customers);
  return {
    ...around,
    region: regionOf(around, day?.timezone),
    day,
    isDayOld,
    etag,
    callBacks,
    customers: named.customers,
    phones: named.phones,
    isNamed: customers !== null,
    now,
    drawn: new Map(),
  };
}

/** What was known already is the same object. */
const isSame = (one: LoadedAround, other: LoadedAround): boolean =>
  (['tenant', 'endpoints', 'sources', 'bookability', 'quotas', 'holds'] as const).every(
    (part) => one[part] === other[part],
  );
