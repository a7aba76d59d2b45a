import type { TenantReads } from '@frontdesk/database';
import { timeSlices } from '@frontdesk/service';
import type { DateRange } from '../working-hours/date-range.rules.ts';
import { dayOf } from '../working-hours/day.rules.ts';
import type { Interval } from '../working-hours/interval.rules.ts';
import { type FreeStart, freeStarts, type StartFilter } from './availability.rules.ts';
import { occupiedBy, type Visit } from './buffers.rules.ts';
import { findBusyIntervals } from './busy.repository.ts';
import { type Offer, offeredInstants, resourcesOf } from './offer.rules.ts';

/** All that a visit which starts within the range could occupy. */
export function reachOf({ timezone, from, to }: DateRange, visits: Visit[]): Interval {
  const occupied = visits.map((visit) => occupiedBy(visit, 0));
  return {
    start: dayOf(from, timezone).start + Math.min(...occupied.map(({ start }) => start)),
    end: dayOf(to, timezone).end + Math.max(...occupied.map(({ end }) => end)),
  };
}

/** The busy intervals of an offer's resources that a visit could clash with if it starts within the range. One query. */
export const busyAround = (
  db: TenantReads,
  offer: Offer,
  range: DateRange,
  exceptAppointmentId: number | null,
): Promise<Map<number, Interval[]>> =>
  findBusyIntervals(
    db,
    offer.resources.map(({ id }) => id),
    reachOf(range, [offer.service]),
    { exceptAppointmentId },
  );

/** The free starts of an offer, in order of time, worked out in slices. @throws AppError `request_timeout` once the signal aborts */
export async function* findFreeStarts(
  offer: Offer,
  range: DateRange,
  context: {
    busy: ReadonlyMap<number, readonly Interval[]>;
    signal: AbortSignal | undefined;
    only?: StartFilter;
  },
): AsyncGenerator<FreeStart> {
  const { busy, signal, only } = context;
  const pause = timeSlices({ signal });
  const question = {
    ...range,
    only,
    stepMinutes: offer.settings.slot_step_minutes,
    ...offeredInstants(offer.settings, Date.now()),
    resources: resourcesOf(offer, busy),
  };
  for (const start of freeStarts(question)) {
    await pause();
    if (start !== null) yield start;
  }
}
