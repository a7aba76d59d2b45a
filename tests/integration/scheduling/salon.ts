import type { SchedulingWorld } from './scheduling-world.ts';

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

/** A hairdresser's: Anna performs both services, Ben only haircuts; and one customer. */
export async function openSalon(world: SchedulingWorld, tenantId = world.newTenant()) {
  const hours = everyDay(NINE_TO_FIVE);
  const { body } = await world.importBusiness(tenantId, {
    services: SERVICES,
    staff: [
      { name: 'Anna', specialties: ['colour'], services: ['Haircut', 'Beard trim'], hours },
      { name: 'Ben', services: ['Haircut'], hours },
    ],
  });
  const idOf = (list: 'services' | 'staff', name: string): number =>
    body.data[list].find((record: { name: string }) => record.name === name).id;
  const ids = {
    tenantId,
    haircut: idOf('services', 'Haircut'),
    beardTrim: idOf('services', 'Beard trim'),
    anna: idOf('staff', 'Anna'),
    ben: idOf('staff', 'Ben'),
    customer: world.newCustomer(tenantId),
  };
  return { ...ids, ...bookingIn(world, ids) };
}

/** One person's business: no staff, hours of its own. */
export async function openPractice(
  world: SchedulingWorld,
  tenantId = world.newTenant(),
  hours: object = everyDay(NINE_TO_FIVE),
) {
  const { body } = await world.importBusiness(tenantId, {
    hours,
    services: [{ name: 'Massage', duration_minutes: 60, price: 80 }],
  });
  const ids = {
    tenantId,
    haircut: body.data.services[0].id as number,
    customer: world.newCustomer(tenantId),
  };
  return { ...ids, massage: ids.haircut, ...bookingIn(world, ids) };
}

function bookingIn(
  world: SchedulingWorld,
  { tenantId, haircut, customer }: { tenantId: number; haircut: number; customer: number },
) {
  const wish = (fields: object = {}) => ({
    customer_id: customer,
    service_id: haircut,
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
    setStatus: (id: number, status: string) =>
      world.api(tenantId, 'PATCH', `/appointments/${id}/status`, { status }),
    cancel: (id: number, headers?: Record<string, string>) =>
      world.api(tenantId, 'DELETE', `/appointments/${id}`, undefined, headers),
    eventTypes: async () => (await world.events(tenantId)).map(({ type }) => type),
  };
}
