import { timeSlices } from '@frontdesk/service';
import { busyIntervals } from '../data/busy.repository.ts';
import { findCalendars } from '../data/calendar.repository.ts';
import type { TenantReads } from '../data/tenant-reads.ts';
import { type FreeStart, freeStarts } from '../domain/availability.ts';
import { NO_HOURS } from '../domain/calendar.ts';
import type { DateRange } from '../domain/date-range.ts';
import type { Interval } from '../domain/interval.ts';
import { localDate, plusDays } from '../domain/local-time.ts';
import { offeredInstants } from '../domain/offer.ts';
import { dayOf } from '../domain/plan.ts';
import type { StaffMember } from '../domain/staff.ts';
import type { Visit } from '../domain/start-windows.ts';
import { reachOf } from './find-free-starts.ts';

/** Most people have something free within a week; only for the others is it worth reading more, some months at a time. */
const STEPS_DAYS = [6, 31, 92, 183, 274, 366];

type Bookable = StaffMember & { shortestVisit: Visit };

interface Search {
  db: TenantReads;
  now: number;
  /** The first start within the range that a member has free. */
  firstFree: (member: Bookable, range: DateRange, busy?: readonly Interval[]) => Promise<FreeStart | null>;
}

/** The first of the dates within which the next free start is looked for: a week, hence with all the weekly hours. */
export function nextStartsRange(timezone: string): DateRange {
  const today = localDate(Date.now(), timezone);
  return { timezone, from: today, to: plusDays(today, STEPS_DAYS[0] as number) };
}

/**
 * The next start that each has free for the shortest service they perform, within a year. Given are the calendars of the first
 * range. Two queries, and a few more where somebody has nothing free in it, however many staff.
 * @throws AppError once the signal aborts
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
    if (from !== today) others = await withCalendars(db, others, range);
    for (const [id, start] of await firstWithin(search, others, range)) found.set(id, start);
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
        stepMinutes: settings.slotStepMinutes,
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

/** Whether any of the range may be offered yet, to anybody. */
function isOffered([anyone]: readonly StaffMember[], { from, timezone }: DateRange, now: number): boolean {
  return anyone !== undefined && dayOf(from, timezone).start <= offeredInstants(anyone.settings, now).latest;
}

async function withCalendars(db: TenantReads, staff: Bookable[], range: DateRange): Promise<Bookable[]> {
  const ids = staff.map(({ id }) => id);
  const calendars = await findCalendars(db, ids, range);
  return staff.map((member) => ({ ...member, calendar: calendars.get(member.id) ?? NO_HOURS }));
}

/** Appointments are read only of those who would have a start if they had none. */
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
  const busy = await busyIntervals(db, ids, reachOf(range, visits));
  for (const member of open) {
    const start = await firstFree(member, range, busy.get(member.id));
    if (start) found.set(member.id, start);
  }
  return found;
}
