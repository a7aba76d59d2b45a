import type { ServiceAdmin, StaffAdmin } from '@frontdesk/contracts';
import type { ExampleRecords, FreeTimes } from '@frontdesk/reference';
import type { Clients } from '../clients/clients.ts';
import { orNull, orUndefined } from '../clients/or-null.ts';
import { isValid } from '../integrations/key-status.rules.ts';
import { regionOf } from '../region/region.rules.ts';
import type { By } from '../session/session.rules.ts';
import { ifAllowed } from '../ui/page-scopes.rules.ts';

export interface LoadedExamples {
  records: ExampleRecords;
  /** Of a key that can be used; null where there is none. Undefined where the member may not see keys, or the gateway is away. */
  keyName: string | null | undefined;
}

const DAYS_AHEAD = 14;
/** Of those who perform a service, at most as many are asked for a free time. */
const MAX_ASKED = 10;

const isActive = ({ is_active }: { is_active: boolean }) => is_active;

/** What the documentation's examples name of this business, as it is today. */
export async function loadExamples(clients: Clients, by: By): Promise<LoadedExamples> {
  const { gateway, scheduling, examples } = clients;
  const [tenant, keys, services, staff, booked, customers, calls] = await Promise.all([
    orNull(gateway.tenant(by)),
    ifAllowed(by, 'settings:keys', () => orNull(gateway.keys(by))),
    orNull(scheduling.services.list(by)),
    orNull(scheduling.staff.list(by)),
    orUndefined(examples.appointment(by)),
    orUndefined(examples.customer(by)),
    orUndefined(examples.call(by)),
  ]);
  const today = Temporal.Now.plainDateISO(regionOf({ tenant }).zone);
  const own = { services: services?.filter(isActive), staff: staff?.filter(isActive) };
  const idOf = (records: { id: number }[] | undefined) => records && (records[0]?.id ?? null);
  return {
    keyName: keys ? (keys.find((key) => isValid(key, Date.now()))?.name ?? null) : undefined,
    records: {
      service: idOf(own.services),
      staff: idOf(own.staff),
      customer: idOf(customers),
      appointment: idOf(booked),
      call: idOf(calls),
      today,
      booking: await orUndefined(findFreeTimes(clients, by, own, today)),
    },
  };
}

/** The next free times of the first who has any; undefined where scheduling can't say. */
async function findFreeTimes(
  { appointments }: Pick<Clients, 'appointments'>,
  by: By,
  { services, staff }: { services: ServiceAdmin[] | undefined; staff: StaffAdmin[] | undefined },
  today: Temporal.PlainDate,
): Promise<FreeTimes | null | undefined> {
  if (!services || !staff) return undefined;
  const ids = services.map(({ id }) => id);
  const [date, date_to] = [1, DAYS_AHEAD].map((days) => today.add({ days }).toString()) as [string, string];
  for (const { service_id, staff_id } of candidates(ids, staff).slice(0, MAX_ASKED)) {
    const of = staff_id === null ? {} : { staff_id };
    const slots = await appointments.slots(by, { date, date_to, service_id, ...of });
    const [slot] = slots;
    if (!slot) continue;
    const other = slots.find((one) => one.date === slot.date && one.time >= slot.end_time) ?? slot;
    return { service_id, staff_id, date: slot.date, time: slot.time, otherTime: other.time };
  }
  return null;
}

/** Without staff the business itself is booked. */
const candidates = (ids: number[], staff: StaffAdmin[]): Pick<FreeTimes, 'service_id' | 'staff_id'>[] =>
  staff.length === 0
    ? ids.map((service_id) => ({ service_id, staff_id: null }))
    : staff.flatMap(({ id: staff_id, service_ids }) => {
        const service_id = service_ids.find((id) => ids.includes(id));
        return service_id === undefined ? [] : [{ service_id, staff_id }];
      });
