import { busyIntervals } from '../data/busy.repository.ts';
import type { TenantReads } from '../data/tenant-reads.ts';
import { type FreeStart, freeStarts } from '../domain/availability.ts';
import { localDate } from '../domain/local-time.ts';
import { offeredInstants } from '../domain/offer.ts';
import type { StaffMember } from '../domain/staff.ts';
import type { Visit } from '../domain/start-windows.ts';
import { type Range, reachOf } from './find-free-starts.ts';

/** Most people have something free in the next days; only for the others is it worth reading more. */
const NEAR_DAYS = 3;
const FAR_DAYS = 60;

type Bookable = StaffMember & { shortestVisit: Visit };

/** The next start that each has free for the shortest service they perform. Two queries at most, however many staff. */
export async function nextFreeStarts(
  db: TenantReads,
  staff: readonly StaffMember[],
  timezone: string,
): Promise<Map<number, FreeStart>> {
  const now = Date.now();
  const day = (plusDays: number) => localDate(now, timezone, plusDays);
  const bookable = staff.filter((member): member is Bookable => member.shortestVisit !== null);

  const near = { timezone, from: day(0), to: day(NEAR_DAYS - 1) };
  const found = await firstWithin(db, bookable, near, now);
  const others = bookable.filter(({ id }) => !found.has(id));
  const far = { timezone, from: day(NEAR_DAYS), to: day(FAR_DAYS) };
  return new Map([...found, ...(await firstWithin(db, others, far, now))]);
}

async function firstWithin(
  db: TenantReads,
  staff: readonly Bookable[],
  range: Range,
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
  const starts = freeStarts({
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
  for (const start of starts) {
    for (const id of start.resourceIds) if (!found.has(id)) found.set(id, start);
    if (found.size === staff.length) break;
  }
  return found;
}
