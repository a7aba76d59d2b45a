import { busyIntervals } from '../data/busy.repository.ts';
import type { TenantReads } from '../data/tenant-reads.ts';
import { type FreeStart, freeStarts } from '../domain/availability.ts';
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

/** The starts that an offer has free, worked out as they are asked for. One query. */
export async function findFreeStarts(
  db: TenantReads,
  offer: Offer,
  range: DateRange,
  exceptAppointmentId: number | null = null,
): Promise<Iterable<FreeStart>> {
  const busy = await busyIntervals(
    db,
    offer.resources.map(({ id }) => id),
    reachOf(range, [offer.service]),
    exceptAppointmentId,
  );
  return freeStarts({
    ...range,
    stepMinutes: offer.settings.slotStepMinutes,
    ...offeredInstants(offer.settings, Date.now()),
    resources: resourcesOf(offer, busy),
  });
}
