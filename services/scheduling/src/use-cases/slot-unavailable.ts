import { LAST_BOOKABLE, type Slot } from '@frontdesk/contracts';
import { AppError } from '@frontdesk/service';
import type { TenantReads } from '../data/tenant-reads.ts';
import { ALTERNATIVES_DAYS } from '../domain/date-range.ts';
import { localDate } from '../domain/local-time.ts';
import type { Offer } from '../domain/offer.ts';
import { nearestStarts, slotRecord } from '../domain/slot.ts';
import { DAY_MS } from '../domain/time-units.ts';
import { findFreeStarts } from './find-free-starts.ts';

const ALTERNATIVES = 5;
const REACH_MS = ALTERNATIVES_DAYS * DAY_MS;

interface Wanted {
  offer: Offer;
  startsAt: number;
  timezone: string;
}

export function slotTaken(alternatives: Slot[]): AppError {
  return new AppError('slot_unavailable', 'The requested slot is not available.', {
    errors: { appointment_time: ['The selected appointment_time is not available.'] },
    data: { alternatives },
  });
}

/** The 409 of a taken slot, with the nearest that are free, an appointment that moves itself aside. One query. */
export async function slotUnavailable(
  db: TenantReads,
  wanted: Wanted,
  movedAppointmentId: number | null = null,
): Promise<AppError> {
  const { offer, startsAt, timezone } = wanted;
  const now = Date.now();
  const last = localDate(Math.max(startsAt, now) + REACH_MS, timezone);
  const isBookable = last <= LAST_BOOKABLE;
  const range = {
    timezone,
    from: localDate(Math.max(startsAt - REACH_MS, now), timezone),
    to: isBookable ? last : LAST_BOOKABLE,
  };
  const starts = await findFreeStarts(db, offer, range, movedAppointmentId);
  return slotTaken(
    nearestStarts(starts, startsAt, ALTERNATIVES).map((start) =>
      slotRecord(start, offer.service.durationMinutes, timezone),
    ),
  );
}
