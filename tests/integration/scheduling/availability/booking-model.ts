import type { TimeSpan } from '@frontdesk/contracts';
import { WEEKDAYS } from '@frontdesk/contracts';
import { MINUTE_MS, plusDays, type WallClock } from '../wall-clock.ts';
import type { RandomBusiness, RandomCalendar, Terms } from './random-business.ts';

/** The business itself, where it has no staff. */
export const ITSELF = -1;

export interface Held {
  /** Place in `business.staff`, or `ITSELF`. */
  resource: number;
  startsAt: number;
  terms: Terms;
}

export interface Wanted {
  /** `H:i` on this date. */
  date: string;
  time: string;
  service: number;
  /** Place in `business.staff`; null: any. */
  staff: number | null;
  terms: Terms;
}

export type Expected =
  /** Names every field that fails. */
  | { status: 422; fields: string[] }
  | { status: 409 }
  /** Any of these may be chosen. */
  | { status: 201; startsAt: number; anyOf: number[] };

/** What an appointment keeps occupied, half-open. */
export const occupiedBy = ({ startsAt, terms }: Pick<Held, 'startsAt' | 'terms'>) => ({
  from: startsAt - terms.buffer_before_minutes * MINUTE_MS,
  until: startsAt + (terms.duration_minutes + terms.buffer_after_minutes) * MINUTE_MS,
});

/**
 * When a business can be booked, by the decisions and as slowly as they read: every minute of a visit is tried against
 * the hours, the exceptions, time off and everything held.
 */
export function bookingModel(business: RandomBusiness, clock: WallClock, now: () => number) {
  const worksAt = memo((resource: number) => workOf(resource, business, clock));

  const isAtWork = (resource: number, startsAt: number, terms: Terms) =>
    Array.from({ length: terms.duration_minutes }, (_, minute) => startsAt + minute * MINUTE_MS).every(
      (instant) => worksAt(resource)(instant),
    );

  const isFree = (resource: number, startsAt: number, terms: Terms, held: Held[]) => {
    const wanted = occupiedBy({ startsAt, terms });
    return !held.some((other) => {
      const taken = occupiedBy(other);
      return other.resource === resource && taken.from < wanted.until && wanted.from < taken.until;
    });
  };

  /** Within the notice and the horizon, on the grid. */
  const isOffered = (time: string, startsAt: number) => {
    const { slot_step_minutes, minimum_notice_minutes, horizon_days } = business.settings;
    const [hours, minutes] = time.split(':').map(Number) as [number, number];
    return (
      (hours * 60 + minutes) % slot_step_minutes === 0 &&
      startsAt >= now() + minimum_notice_minutes * MINUTE_MS &&
      (horizon_days === null || startsAt <= now() + horizon_days * 1_440 * MINUTE_MS)
    );
  };

  const performers = (service: number) =>
    business.staff.length === 0
      ? [ITSELF]
      : [...business.staff.keys()].filter((index) => business.staff[index]?.performs.includes(service));

  /** Those who could take it, clashes aside; this distinguishes "not offered" and "taken". */
  function candidates({ time, service, staff, terms }: Wanted, startsAt: number): number[] {
    const asked = staff === null ? performers(service) : [staff];
    if (business.settings.booking_policy === 'open') return asked;
    return asked.filter((resource) => isOffered(time, startsAt) && isAtWork(resource, startsAt, terms));
  }

  /** On shift first, then the fewest appointments that day; the decisions leave open who of equals. */
  function preferred(free: number[], wanted: Wanted, startsAt: number, held: Held[]): number[] {
    const present = free.filter((resource) => isAtWork(resource, startsAt, wanted.terms));
    const choice = present.length > 0 ? present : free;
    const from = clock.firstReaching(`${wanted.date}T00:00`);
    const until = clock.firstReaching(`${plusDays(wanted.date, 1)}T00:00`);
    const load = (resource: number) =>
      held.filter((other) => other.resource === resource && other.startsAt >= from && other.startsAt < until)
        .length;
    const least = Math.min(...choice.map(load));
    return choice.filter((resource) => load(resource) === least);
  }

  return {
    isFree,
    /** The staff who are free then, in the order of the business; null: not to be had even without the appointments. */
    freeAt(wanted: Wanted, held: Held[]): number[] | null {
      const startsAt = clock.firstShowing(`${wanted.date}T${wanted.time}`);
      const able = startsAt === undefined ? [] : candidates(wanted, startsAt);
      if (startsAt === undefined || able.length === 0) return null;
      return able.filter((resource) => isFree(resource, startsAt, wanted.terms, held));
    },
    /** What booking it, or moving to it, answers. `holds`: whether the appointment will take its slot at all. */
    expected(wanted: Wanted, held: Held[], { holds = true } = {}): Expected {
      const { staff, service } = wanted;
      const startsAt = clock.firstShowing(`${wanted.date}T${wanted.time}`);
      const fields = [
        ...(staff !== null && !performers(service).includes(staff) ? ['staff_id'] : []),
        ...(startsAt === undefined ? ['appointment_time'] : []),
      ];
      if (startsAt === undefined || fields.length > 0) return { status: 422, fields };
      const able = candidates(wanted, startsAt);
      if (able.length === 0 && business.settings.booking_policy === 'slots_only')
        return { status: 422, fields: ['appointment_time'] };
      if (!holds) return able.length > 0 ? { status: 201, startsAt, anyOf: able } : { status: 409 };
      const free = able.filter((resource) => isFree(resource, startsAt, wanted.terms, held));
      if (free.length === 0) return { status: 409 };
      return { status: 201, startsAt, anyOf: preferred(free, wanted, startsAt, held) };
    },
  };
}

export type BookingModel = ReturnType<typeof bookingModel>;

/**
 * Whether somebody is at work at an instant. The business's own closures and shorter days are everybody's; somebody's
 * own hours on a date stand whatever the business says of that date. Who follows the business's hours works by its dates, too.
 */
function workOf(resource: number, { date, calendar: ofAll, staff }: RandomBusiness, clock: WallClock) {
  const own = resource === ITSELF ? ofAll : (staff[resource]?.calendar as RandomCalendar);
  const follows = staff[resource]?.follows ?? false;
  const stretch = (from: string, until: string) => ({
    from: clock.firstReaching(from),
    until: clock.firstReaching(until),
  });
  const stretchesOf = (day: string, spans: TimeSpan[]) =>
    spans.map(({ start, end }) =>
      stretch(`${day}T${start}`, end === '24:00' ? `${plusDays(day, 1)}T00:00` : `${day}T${end}`),
    );
  const exceptionOf = (calendar: RandomCalendar, day: string) =>
    calendar.exceptions.find((dated) => dated.date === day)?.hours;
  const days = [-1, 0, 1, 2].map((count) => {
    const day = plusDays(date, count);
    const weekday = WEEKDAYS[Temporal.PlainDate.from(day).dayOfWeek - 1] as string;
    const exception = exceptionOf(own, day) ?? (follows ? exceptionOf(ofAll, day) : undefined);
    const limits = exception === undefined ? exceptionOf(ofAll, day) : undefined;
    return {
      works: stretchesOf(day, exception ?? (follows ? ofAll : own).hours[weekday] ?? []),
      limits: limits && stretchesOf(day, limits),
    };
  });
  const off = [...own.time_off, ...ofAll.time_off].map(({ start, end }) => stretch(start, end));
  const within = (stretches: { from: number; until: number }[], instant: number) =>
    stretches.some(({ from, until }) => from <= instant && instant < until);
  return (instant: number) =>
    !within(off, instant) &&
    days.some(
      ({ works, limits }) => within(works, instant) && (limits === undefined || within(limits, instant)),
    );
}

function memo<Key, Value>(work: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => known.getOrInsertComputed(key, work);
}
