import type { BookingPolicy, Quotas } from '@frontdesk/contracts';
import { everyDay, MONDAY, NINE_TO_FIVE, openBusinessOf } from '../salon.ts';
import type { SchedulingWorld } from '../scheduling-world.ts';
import { hhmm } from '../wall-clock.ts';

/** Numbers that look random and are the same every time, so that a failure can be had again. */
function numbersFrom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Services of 10 to 120 minutes, and so many who perform them all, from nine to five. */
export async function busyShop(
  world: SchedulingWorld,
  staffCount: number,
  { policy = 'open', quotas }: { policy?: BookingPolicy; quotas?: Quotas } = {},
) {
  const durations = [10, 25, 45, 60, 90, 120];
  const nameOf = (minutes: number) => `${minutes} minutes`;
  const document = {
    settings: { booking_policy: policy, slot_step_minutes: 5 },
    services: durations.map((duration_minutes, index) => ({
      name: nameOf(duration_minutes),
      duration_minutes,
      price: 10,
      buffer_before_minutes: index % 2 === 0 ? 5 : 0,
      buffer_after_minutes: index % 3 === 0 ? 10 : 0,
    })),
    staff: Array.from({ length: staffCount }, (_, index) => ({
      name: `Staff ${index}`,
      services: durations.map(nameOf),
      hours: everyDay(NINE_TO_FIVE),
    })),
  };
  const shop = await openBusinessOf(world, document, world.newTenant(quotas && { quotas }));
  const random = numbersFrom(staffCount);
  const stepMinutes = policy === 'open' ? 1 : 5;
  const randomStart = () => ({
    appointment_time: hhmm(540 + stepMinutes * random(420 / stepMinutes)),
  });
  /** An operator changes terms one after the other: few may wait for their import at once. */
  let lastImport: Promise<unknown> = Promise.resolve();
  const importNext = (document: object) => {
    const imported = lastImport.then(() => world.importBusiness(shop.tenantId, document));
    lastImport = imported;
    return imported;
  };
  return {
    ...shop,
    random,
    randomStart,
    /** One of the services is booked on other terms from now on. */
    changeTerms: () =>
      importNext({
        services: [
          {
            name: nameOf(durations[random(durations.length)] as number),
            duration_minutes: 5 + random(90),
            price: 20,
          },
        ],
      }),
    /** The day is closed, or shorter, or blocked for a while, from now on. */
    changeHours: () =>
      importNext(
        [
          { exceptions: [{ date: MONDAY, hours: [] }] },
          { exceptions: [{ date: MONDAY, hours: [{ start: '10:00', end: '12:00' }] }] },
          { time_off: [{ start: `${MONDAY}T11:00`, end: `${MONDAY}T13:00` }] },
        ][random(3)] as object,
      ),
    randomWish: () => ({ ...randomStart(), service_id: shop.serviceIds[random(durations.length)] as number }),
  };
}

export type BusyShop = Awaited<ReturnType<typeof busyShop>>;
