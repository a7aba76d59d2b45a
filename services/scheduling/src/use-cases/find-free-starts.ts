import { setImmediate as nextTurn } from 'node:timers/promises';
import { busyIntervals } from '../data/busy.repository.ts';
import type { TenantReads } from '../data/tenant-reads.ts';
import { type FreeStart, freeDays } from '../domain/availability.ts';
import type { DateRange } from '../domain/date-range.ts';
import type { Interval } from '../domain/interval.ts';
import { type Offer, offeredInstants, resourcesOf } from '../domain/offer.ts';
import { dayOf } from '../domain/plan.ts';
import { occupiedBy, type Visit } from '../domain/start-windows.ts';

/** All that a visit which starts within the range could occupy. */
export function reachOf({ timezone, from, to }: DateRange, visits: Visit[]): Interval {
  const occupied = visits.map((visit) => occupiedBy(visit, 0));
  return {
    start: dayOf(from, timezone).start + Math.min(...occupied.map(({ start }) => start)),
    end: dayOf(to, timezone).end + Math.max(...occupied.map(({ end }) => end)),
  };
}

/** The starts that an offer has free, in order of time. One query; other requests get their turn between two days. */
export async function findFreeStarts(
  db: TenantReads,
  offer: Offer,
  range: DateRange,
  exceptAppointmentId: number | null = null,
): Promise<FreeStart[]> {
  const busy = await busyIntervals(
    db,
    offer.resources.map(({ id }) => id),
    reachOf(range, [offer.service]),
    exceptAppointmentId,
  );
  return freeStartsOf(offer, range, busy);
}

/** The same from what is known to keep each resource busy. */
export async function freeStartsOf(
  offer: Offer,
  range: DateRange,
  busy: ReadonlyMap<number, readonly Interval[]>,
): Promise<FreeStart[]> {
  const found: FreeStart[][] = [];
  const question = {
    ...range,
    stepMinutes: offer.settings.slotStepMinutes,
    ...offeredInstants(offer.settings, Date.now()),
    resources: resourcesOf(offer, busy),
  };
  for (const starts of freeDays(question)) {
    found.push(starts);
    await nextTurn();
  }
  return found.flat();
}
