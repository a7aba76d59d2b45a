import { LAST_BOOKABLE, type Slot } from '@frontdesk/contracts';
import { AppError } from '@frontdesk/service';
import { findCalendars } from '../data/calendar.repository.ts';
import type { TenantReads } from '../data/tenant-reads.ts';
import { NO_HOURS } from '../domain/calendar.ts';
import { localDate } from '../domain/local-time.ts';
import type { Offer } from '../domain/offer.ts';
import { nearestStarts, slotRecord } from '../domain/slot.ts';
import { DAY_MS } from '../domain/time-units.ts';
import { findFreeStarts } from './find-free-starts.ts';

const ALTERNATIVES = 5;
/** How far before and after the wanted start others are looked for. */
const REACH_MS = 7 * DAY_MS;

interface Wanted {
  /** Of its resources only who they are: their hours are looked up for all the days of the alternatives. */
  offer: Pick<Offer, 'settings' | 'service'> & { resources: readonly { id: number }[] };
  startsAt: number;
  timezone: string;
}

export function slotTaken(alternatives: Slot[]): AppError {
  return new AppError('slot_unavailable', 'The requested slot is not available.', {
    errors: { appointment_time: ['The selected appointment_time is not available.'] },
    data: { alternatives },
  });
}

/** The 409 of a taken slot, with the nearest that are free, an appointment that moves itself aside. Two queries. */
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
  const ids = offer.resources.map(({ id }) => id);
  const calendars = await findCalendars(db, ids, range);
  const resources = ids.map((id) => ({ id, calendar: calendars.get(id) ?? NO_HOURS }));
  const starts = await findFreeStarts(db, { ...offer, resources }, range, movedAppointmentId);
  return slotTaken(
    nearestStarts(starts, startsAt, ALTERNATIVES).map((start) =>
      slotRecord(start, offer.service.durationMinutes, timezone),
    ),
  );
}
