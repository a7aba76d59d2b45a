import { systemSql } from '@frontdesk/database';
import type { SchedulingWorld } from './scheduling-world.ts';

const expireHolds = systemSql<never, { tenantId: number; id: number | null }>(
  'test_expire_holds',
  `update appointments set held_until = clock_timestamp() - interval '1 ms'
   where tenant_id = $tenantId and status = 'held' and ($id::bigint is null or id = $id)`,
);

export const ALL_DAY = [{ start: '00:00', end: '24:00' }];
export const NINE_TO_FIVE = [{ start: '09:00', end: '17:00' }];

export function everyDay(spans: { start: string; end: string }[]) {
  return {
    monday: spans,
    tuesday: spans,
    wednesday: spans,
    thursday: spans,
    friday: spans,
    saturday: spans,
    sunday: spans,
  };
}

/** A Monday far enough ahead. */
export const MONDAY = '2031-06-02';

const SERVICES = [
  { name: 'Haircut', duration_minutes: 60, price: 45.5 },
  { name: 'Beard trim', duration_minutes: 30, price: 20 },
];

interface Named {
  name: string;
  [more: string]: unknown;
}

/** A business as a document says; `serviceIds` and `staffIds` are in its order. They book its first service, unless they say otherwise. */
export async function openBusinessOf(
  world: SchedulingWorld,
  document: { services: Named[]; staff?: Named[]; [more: string]: unknown },
  tenantId = world.newTenant(),
) {
  const { status, body } = await world.importBusiness(tenantId, document);
  expect([status, body.errors]).toEqual([200, undefined]);
  const idsOf = (list: 'services' | 'staff') =>
    (document[list] ?? []).map(
      ({ name }): number => body.data[list].find((record: { name: string }) => record.name === name).id,
    );
  const [serviceIds, staffIds] = [idsOf('services'), idsOf('staff')];
  const customer = world.newCustomer(tenantId);
  const booking = bookingIn(world, { tenantId, service: serviceIds[0], customer });
  return { tenantId, serviceIds, staffIds, customer, ...booking };
}

/** A hairdresser's: Anna performs both services, Ben only haircuts; and one customer. */
export async function openSalon(world: SchedulingWorld, tenantId = world.newTenant()) {
  const hours = everyDay(NINE_TO_FIVE);
  const staff = [
    { name: 'Anna', specialties: ['colour'], services: ['Haircut', 'Beard trim'], hours },
    { name: 'Ben', services: ['Haircut'], hours },
  ];
  const salon = await openBusinessOf(world, { services: SERVICES, staff }, tenantId);
  const [haircut, beardTrim] = salon.serviceIds as [number, number];
  const [anna, ben] = salon.staffIds as [number, number];
  return { ...salon, haircut, beardTrim, anna, ben };
}

/** A hairdresser's where Anna has an appointment at 10:00. */
export async function salonWithAppointment(world: SchedulingWorld, fields: object = {}) {
  const salon = await openSalon(world);
  const { body } = await salon.book({ staff_id: salon.anna, ...fields });
  const id: number = body.data.id;
  const path = `/appointments/${id}`;
  const shown = async () => (await world.api(salon.tenantId, 'GET', path)).body.data;
  return { ...salon, id, appointment: body.data, shown };
}

export type BookedSalon = Awaited<ReturnType<typeof salonWithAppointment>>;

/** One person's business: no staff, hours of its own. */
export async function openPractice(
  world: SchedulingWorld,
  tenantId = world.newTenant(),
  hours: object = everyDay(NINE_TO_FIVE),
) {
  const services = [{ name: 'Massage', duration_minutes: 60, price: 80 }];
  const practice = await openBusinessOf(world, { hours, services }, tenantId);
  return { ...practice, massage: practice.serviceIds[0] as number };
}

/** Booking settings as an operator changes them; what is not named stays. */
export async function changeSettings(world: SchedulingWorld, tenantId: number, settings: object) {
  const { status } = await world.importBusiness(tenantId, { settings });
  expect(status).toBe(200);
}

export type Answer = Awaited<ReturnType<SchedulingWorld['api']>>;

/** What an integrator does at a business. */
function bookingIn(
  world: SchedulingWorld,
  { tenantId, service, customer }: { tenantId: number; service: number | undefined; customer: number },
) {
  const wish = (fields: object = {}) => ({
    customer_id: customer,
    service_id: service,
    appointment_date: MONDAY,
    appointment_time: '10:00',
    ...fields,
  });
  return {
    wish,
    book: (fields: object = {}, headers?: Record<string, string>) =>
      world.api(tenantId, 'POST', '/appointments', wish(fields), headers),
    change: (id: number, patch: object, headers?: Record<string, string>) =>
      world.api(tenantId, 'PATCH', `/appointments/${id}`, patch, headers),
    /** Free starts, of the same service on the same day unless it says otherwise. */
    slots: (query: Record<string, string | number | undefined> = {}) => {
      const all = Object.entries({ date: MONDAY, service_id: service, ...query });
      const given = all.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
      return world.api(tenantId, 'GET', `/appointments/slots?${new URLSearchParams(given)}`);
    },
    /** The same place, held. */
    hold: (fields: object = {}, headers?: Record<string, string>) => {
      const { customer_id: _, ...place } = wish();
      return world.api(tenantId, 'POST', '/holds', { ...place, ...fields }, headers);
    },
    bookHold: (id: number, fields: object = {}, headers?: Record<string, string>) =>
      world.api(tenantId, 'POST', `/holds/${id}/appointment`, { customer_id: customer, ...fields }, headers),
    release: (id: number, headers?: Record<string, string>) =>
      world.api(tenantId, 'DELETE', `/holds/${id}`, undefined, headers),
    showHold: (id: number) => world.api(tenantId, 'GET', `/holds/${id}`),
    /** Lets a hold expire, or all of them; it is not cleared away yet. */
    letExpire: (id: number | null = null) => world.database.system.run(expireHolds, { tenantId, id }),
    setStatus: (id: number, status: string) =>
      world.api(tenantId, 'PATCH', `/appointments/${id}/status`, { status }),
    cancel: (id: number, headers?: Record<string, string>) =>
      world.api(tenantId, 'DELETE', `/appointments/${id}`, undefined, headers),
    eventTypes: async () => (await world.events(tenantId)).map(({ type }) => type),
  };
}
