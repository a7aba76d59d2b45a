import { type FieldFaults, LAST_BOOKABLE, MAX_ALTERNATIVES, type Slot } from '@frontdesk/contracts';
import type { TenantReads } from '@frontdesk/database';
import { DAY_MS, localDate } from '@frontdesk/local-time';
import { AppError, inTenantQueue, invalid } from '@frontdesk/service';
import type { FreeStart } from '../availability/availability.rules.ts';
import { busyAround, findFreeStarts } from '../availability/find-free-starts.ts';
import type { Offer } from '../availability/offer.rules.ts';
import { nearestStarts, slotRecord } from '../availability/slot.rules.ts';
import { findCalendars } from '../working-hours/calendar.repository.ts';
import { NO_HOURS } from '../working-hours/calendar.rules.ts';
import type { DateRange } from '../working-hours/date-range.rules.ts';
import { rangesWithin } from '../working-hours/portions.rules.ts';

/** How far before and after the wanted start others are looked for. */
const REACH_MS = 7 * DAY_MS;

export interface Wanted {
  /** Of its resources only who they are: their hours are looked up for all the days of the alternatives. */
  offer: Pick<Offer, 'settings' | 'service'> & { resources: readonly { id: number }[] };
  startsAt: number;
  timezone: string;
  /** The appointment that is moved: it doesn't block its own new slot. */
  movedId?: number;
}

/** Alternatives are searched in this scope, outside of any transaction, until the signal aborts. */
export interface AlternativesSearch {
  scope: TenantReads;
  signal: AbortSignal;
}

const refusal = (details: { data: unknown } | { complete: () => Promise<unknown> }) =>
  new AppError('slot_unavailable', 'The requested slot is not available.', {
    faults: {
      appointment_time: [{ text: 'The selected appointment_time is not available.', reason: 'time_taken' }],
    },
    ...details,
  });

/** The 409 of a taken slot, without alternatives. */
export const slotTaken = (): AppError => refusal({ data: { alternatives: [] } });

/** The 409 of a taken slot. Its alternatives, the nearest free slots, are searched after the rollback. */
export const slotUnavailable = (search: AlternativesSearch, wanted: Wanted): AppError =>
  refusal({ complete: async () => ({ alternatives: await alternativesTo(search, wanted) }) });

/** The 422 of a time that is not offered, with the same alternatives. */
export const slotNotOffered = (search: AlternativesSearch, wanted: Wanted, faults: FieldFaults): AppError =>
  new AppError('validation_failed', invalid(faults).message, {
    faults,
    complete: async () => ({ alternatives: await alternativesTo(search, wanted) }),
  });

/** The nearest free slots. */
export async function alternativesTo(search: AlternativesSearch, wanted: Wanted): Promise<Slot[]> {
  const { offer, startsAt, timezone } = wanted;
  const now = Date.now();
  const last = localDate(Math.max(startsAt, now) + REACH_MS, timezone);
  const isBookable = last <= LAST_BOOKABLE;
  const range = {
    timezone,
    from: localDate(Math.max(startsAt - REACH_MS, now), timezone),
    to: isBookable ? last : LAST_BOOKABLE,
  };
  const starts: FreeStart[] = [];
  for (const days of rangesWithin(range, offer.resources.length)) {
    const found = await inTenantQueue(search.scope.tenantId, search.signal, () =>
      startsWithin(search, wanted, days),
    );
    starts.push(...found);
    // All later starts are further away.
    if (starts.filter((start) => start.startsAt >= startsAt).length >= MAX_ALTERNATIVES) break;
  }
  return nearestStarts(starts, startsAt, MAX_ALTERNATIVES).map((start) =>
    slotRecord(start, offer.service.durationMinutes, timezone),
  );
}

/** The free starts in order of time, up to the fifth from the wanted one on. Two queries. */
async function startsWithin(
  { scope, signal }: AlternativesSearch,
  { offer, startsAt, movedId }: Wanted,
  range: DateRange,
): Promise<FreeStart[]> {
  const ids = offer.resources.map(({ id }) => id);
  const calendars = await findCalendars(scope, ids, range);
  const resources = ids.map((id) => ({ id, calendar: calendars.get(id) ?? NO_HOURS }));
  const open = { ...offer, resources };
  const busy = await busyAround(scope, open, range, movedId ?? null);
  const starts: FreeStart[] = [];
  let later = 0;
  for await (const start of findFreeStarts(open, range, { busy, signal })) {
    starts.push(start);
    if (start.startsAt >= startsAt) later += 1;
    if (later === MAX_ALTERNATIVES) break;
  }
  return starts;
}
