import { type TimeSpan, WEEKDAYS } from '@frontdesk/contracts';
import fc from 'fast-check';
import { openBusinessOf } from '../salon.ts';
import type { SchedulingWorld } from '../scheduling-world.ts';
import { hhmm, plusDays } from '../wall-clock.ts';

/** Zones and days around which their clocks change, or don't. */
const PLACES = [
  ['Europe/Berlin', '2031-03-29'],
  ['America/New_York', '2031-11-01'],
  ['Australia/Lord_Howe', '2031-10-04'],
  ['Pacific/Chatham', '2031-04-05'],
  ['Africa/Cairo', '2031-04-24'],
  ['Asia/Kolkata', '2031-06-10'],
] as const;

export interface RandomCalendar {
  hours: Record<string, TimeSpan[]>;
  exceptions: { date: string; hours: TimeSpan[] }[];
  /** Walls, `Y-m-dTH:i`. */
  time_off: { start: string; end: string }[];
}

export interface Terms {
  duration_minutes: number;
  buffer_before_minutes: number;
  buffer_after_minutes: number;
}

export interface RandomBusiness {
  timezone: string;
  /** Nearly all that happens happens on this day and the next. */
  date: string;
  settings: {
    booking_policy: 'open' | 'slots_only';
    slot_step_minutes: number;
    minimum_notice_minutes: number;
    horizon_days: number | null;
  };
  calendar: RandomCalendar;
  services: Terms[];
  /** `performs` are places in `services`. Who `follows` the business's hours has no weekly ones. */
  staff: { performs: number[]; follows: boolean; calendar: RandomCalendar }[];
}

const quarters = (min: number, max: number) => fc.integer({ min, max }).map((count) => count * 15);

const spans: fc.Arbitrary<TimeSpan[]> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom<TimeSpan[]>([], [{ start: '00:00', end: '24:00' }]) },
  {
    weight: 2,
    arbitrary: fc.uniqueArray(quarters(0, 96), { minLength: 2, maxLength: 6 }).map((edges) => {
      const sorted = edges.sort((a, b) => a - b);
      return sorted.flatMap((end, index) =>
        index % 2 === 1 ? [{ start: hhmm(sorted[index - 1] as number), end: hhmm(end) }] : [],
      );
    }),
  },
);

const wall = (date: string) =>
  fc
    .tuple(fc.integer({ min: -1, max: 2 }), quarters(0, 95))
    .map(([days, minute]) => `${plusDays(date, days)}T${hhmm(minute)}`);

const calendarAround = (date: string): fc.Arbitrary<RandomCalendar> =>
  fc.record({
    hours: fc.record(Object.fromEntries(WEEKDAYS.map((weekday) => [weekday, spans]))),
    exceptions: fc.uniqueArray(fc.record({ date: fc.constantFrom(date, plusDays(date, 1)), hours: spans }), {
      maxLength: 1,
      selector: (exception) => exception.date,
    }),
    time_off: fc.array(
      fc
        .tuple(wall(date), wall(date))
        .filter(([one, other]) => one !== other)
        .map((walls) => walls.sort())
        .map(([start, end]) => ({ start: start as string, end: end as string })),
      { maxLength: 1 },
    ),
  });

export const someTerms: fc.Arbitrary<Terms> = fc.record({
  duration_minutes: fc.oneof(fc.constantFrom(30, 45, 60, 90), fc.integer({ min: 1, max: 200 })),
  buffer_before_minutes: fc.constantFrom(0, 0, 10, 30),
  buffer_after_minutes: fc.constantFrom(0, 0, 5, 45),
});

/** `policy`: one of these; `isBounded`: perhaps with a notice and a horizon. */
export const randomBusiness = (
  policies: RandomBusiness['settings']['booking_policy'][],
  isBounded: boolean,
): fc.Arbitrary<RandomBusiness> =>
  fc.constantFrom(...PLACES).chain(([timezone, date]) =>
    fc.array(someTerms, { minLength: 1, maxLength: 3 }).chain((services) =>
      fc.record({
        timezone: fc.constant(timezone),
        date: fc.constant(date),
        settings: fc.record({
          booking_policy: fc.constantFrom(...policies),
          slot_step_minutes: fc.constantFrom(10, 15, 20, 30, 60),
          minimum_notice_minutes: isBounded ? fc.constantFrom(0, 0, 60, 1_500) : fc.constant(0),
          horizon_days: isBounded ? fc.constantFrom(null, null, 1, 2) : fc.constant(null),
        }),
        calendar: calendarAround(date),
        services: fc.constant(services),
        staff: fc.array(
          fc.record({
            performs: fc
              .boolean()
              .chain((all) => fc.subarray([...services.keys()], { minLength: all ? services.length : 0 })),
            follows: fc.boolean(),
            calendar: calendarAround(date),
          }),
          { maxLength: 4 },
        ),
      }),
    ),
  );

const serviceDocument = (terms: Terms, index: number) => ({
  name: `Service ${index}`,
  price: 10 + index,
  ...terms,
});

/** Opens it. `staffIds` and `serviceIds` are in the order of the business. */
export async function openBusiness(world: SchedulingWorld, { timezone, ...business }: RandomBusiness) {
  const opened = await openBusinessOf(
    world,
    {
      settings: business.settings,
      ...business.calendar,
      services: business.services.map(serviceDocument),
      staff: business.staff.map(({ performs, follows, calendar: { hours, ...dates } }, index) => ({
        name: `Staff ${index}`,
        services: performs.map((service) => `Service ${service}`),
        ...(follows ? { follows_business_hours: true } : { hours }),
        ...dates,
      })),
    },
    world.newTenant({ timezone }),
  );
  return {
    ...opened,
    timezone,
    /** From now on the service is booked on these terms. */
    async changeTerms(index: number, terms: Terms) {
      const services = [serviceDocument(terms, index)];
      expect((await world.importBusiness(opened.tenantId, { services })).status).toBe(200);
    },
  };
}

export type OpenBusiness = Awaited<ReturnType<typeof openBusiness>>;

/** All runs of a property against a database take a while, on a busy machine a long one. */
export const PROPERTY_TIMEOUT_MS = 900_000;
/** Shrinking stops in time to say what it has found. Tests count what they have seen, so that too few runs don't pass. */
export const inTime = { interruptAfterTimeLimit: PROPERTY_TIMEOUT_MS - 60_000 };
