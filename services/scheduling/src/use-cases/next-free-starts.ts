import { setImmediate as nextTurn } from 'node:timers/promises';
import { busyIntervals } from '../data/busy.repository.ts';
import type { TenantReads } from '../data/tenant-reads.ts';
import { type FreeStart, freeDays } from '../domain/availability.ts';
import type { DateRange } from '../domain/date-range.ts';
import { localDate, plusDays } from '../domain/local-time.ts';
import { offeredInstants } from '../domain/offer.ts';
import type { StaffMember } from '../domain/staff.ts';
import type { Visit } from '../domain/start-windows.ts';
import { reachOf } from './find-free-starts.ts';

/** Most people have something free in the next days; only for the others is it worth reading more. */
const STEPS_DAYS = [3, 31, 366];

type Bookable = StaffMember & { shortestVisit: Visit };

/** The dates within which the next free start is looked for. */
export function nextStartsRange(timezone: string): DateRange {
  const today = localDate(Date.now(), timezone);
  return { timezone, from: today, to: plusDays(today, STEPS_DAYS.at(-1) ?? 0) };
}

/** The next start that each has free for the shortest service they perform. Three queries at most, however many staff. */
export async function nextFreeStarts(
  db: TenantReads,
  staff: readonly StaffMember[],
  { timezone, from: today }: DateRange,
): Promise<Map<number, FreeStart>> {
  const now = Date.now();
  const found = new Map<number, FreeStart>();
  let from = today;
  for (const days of STEPS_DAYS) {
    const to = plusDays(today, days);
    const others = staff.filter((member): member is Bookable => !found.has(member.id) && canBeFree(member));
    for (const [id, start] of await firstWithin(db, others, { timezone, from, to }, now))
      found.set(id, start);
    from = plusDays(to, 1);
  }
  return found;
}

/** Without this, everybody who has no hours yet would be looked for in a whole year. */
function canBeFree({ shortestVisit, calendar: { weekly, exceptions } }: StaffMember): boolean {
  return shortestVisit !== null && weekly.size + exceptions.size > 0;
}

async function firstWithin(
  db: TenantReads,
  staff: readonly Bookable[],
  range: DateRange,
  now: number,
): Promise<Map<number, FreeStart>> {
  const found = new Map<number, FreeStart>();
  const [anyone] = staff;
  if (anyone === undefined) return found;
  const busy = await busyIntervals(
    db,
    staff.map(({ id }) => id),
    reachOf(
      range,
      staff.map(({ shortestVisit }) => shortestVisit),
    ),
  );
  const days = freeDays({
    ...range,
    stepMinutes: anyone.settings.slotStepMinutes,
    ...offeredInstants(anyone.settings, now),
    resources: staff.map(({ id, shortestVisit, calendar }) => ({
      id,
      visit: shortestVisit,
      calendar,
      busy: busy.get(id) ?? [],
    })),
  });
  for (const starts of days) {
    for (const start of starts) for (const id of start.resourceIds) if (!found.has(id)) found.set(id, start);
    if (found.size === staff.length) break;
    await nextTurn();
  }
  return found;
}
