import { NEXT_FREE_DAYS } from '@frontdesk/contracts';
import type { TenantReads } from '@frontdesk/database';
import { localDate, plusDays } from '@frontdesk/local-time';
import { inTenantQueue, timeSlices } from '@frontdesk/service';
import { type FreeStart, freeStarts } from '../availability/availability.rules.ts';
import type { Visit } from '../availability/buffers.rules.ts';
import { findBusyIntervals } from '../availability/busy.repository.ts';
import { reachOf } from '../availability/find-free-starts.ts';
import { offeredInstants } from '../availability/offer.rules.ts';
import { findCalendars } from '../working-hours/calendar.repository.ts';
import { NO_HOURS } from '../working-hours/calendar.rules.ts';
import type { DateRange } from '../working-hours/date-range.rules.ts';
import { dayOf } from '../working-hours/day.rules.ts';
import type { Interval } from '../working-hours/interval.rules.ts';
import { portionsOf } from '../working-hours/portions.rules.ts';
import type { StaffMember } from './staff.rules.ts';

/** Last days of the ranges that are searched one after the other. Most staff have something free in the first week. */
const STEPS_DAYS = [6, 31, 92, 183, 274, NEXT_FREE_DAYS];

type Bookable = StaffMember & { shortestVisit: Visit };

interface Search {
  db: TenantReads;
  now: number;
  /** The first free start of a staff member within the range. */
  firstFree: (member: Bookable, range: DateRange, busy?: readonly Interval[]) => Promise<FreeStart | null>;
}

/** The first range that is searched: a week, so that it has all weekly hours. */
export function nextStartsRange(timezone: string): DateRange {
  const today = localDate(Date.now(), timezone);
  return { timezone, from: today, to: plusDays(today, STEPS_DAYS[0] as number) };
}

/**
 * By id, the next free start of each staff member for their shortest service, within a year. `staff` comes with the calendars
 * of the first range. At most one query for the first range and two for each later one and each portion of the staff.
 * @throws AppError `request_timeout` once the signal aborts
 */
export async function nextFreeStarts(
  db: TenantReads,
  staff: readonly StaffMember[],
  { range: first, signal }: { range: DateRange; signal: AbortSignal },
): Promise<Map<number, FreeStart>> {
  const { timezone, from: today } = first;
  const search = startSearch(db, signal);
  const found = new Map<number, FreeStart>();
  let others = staff.filter((member): member is Bookable => member.shortestVisit !== null);
  let from = today;
  for (const days of STEPS_DAYS) {
    const range = { timezone, from, to: plusDays(today, days) };
    if (!isOffered(others, range, search.now)) break;
    for (const portion of from === today ? [others] : portionsOf(others, range)) {
      const starts = await inTenantQueue(db.tenantId, signal, async () => {
        const staff = from === today ? portion : await withCalendars(db, portion, range);
        return firstWithin(search, staff, range);
      });
      for (const [id, start] of starts) found.set(id, start);
    }
    others = others.filter(({ id }) => !found.has(id));
    from = plusDays(range.to, 1);
  }
  return found;
}

function startSearch(db: TenantReads, signal: AbortSignal): Search {
  const pause = timeSlices({ signal });
  const now = Date.now();
  return {
    db,
    now,
    async firstFree({ id, shortestVisit: visit, calendar, settings }, range, busy = []) {
      const starts = freeStarts({
        ...range,
        stepMinutes: settings.slot_step_minutes,
        ...offeredInstants(settings, now),
        resources: [{ id, visit, calendar, busy }],
      });
      for (const start of starts) {
        await pause();
        if (start !== null) return start;
      }
      return null;
    },
  };
}

/** Whether the range begins before the booking horizon. */
function isOffered([anyone]: readonly StaffMember[], { from, timezone }: DateRange, now: number): boolean {
  return anyone !== undefined && dayOf(from, timezone).start <= offeredInstants(anyone.settings, now).latest;
}

async function withCalendars(db: TenantReads, staff: Bookable[], range: DateRange): Promise<Bookable[]> {
  const ids = staff.map(({ id }) => id);
  const calendars = await findCalendars(db, ids, range);
  return staff.map((member) => ({ ...member, calendar: calendars.get(member.id) ?? NO_HOURS }));
}

/** Reads appointments only of staff who would have a free start without any. */
async function firstWithin(
  { db, firstFree }: Search,
  staff: readonly Bookable[],
  range: DateRange,
): Promise<Map<number, FreeStart>> {
  const found = new Map<number, FreeStart>();
  const open: Bookable[] = [];
  for (const member of staff) if (await firstFree(member, range)) open.push(member);
  if (open.length === 0) return found;
  const ids = open.map(({ id }) => id);
  const visits = open.map(({ shortestVisit }) => shortestVisit);
  const busy = await findBusyIntervals(db, ids, reachOf(range, visits));
  for (const member of open) {
    const start = await firstFree(member, range, busy.get(member.id));
    if (start) found.set(member.id, start);
  }
  return found;
}
