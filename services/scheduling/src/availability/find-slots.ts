import {
  MAX_SLOT_WORK,
  type Slot,
  type SlotsAdminQuery,
  type SlotsQuery,
  WEEKDAYS,
} from '@frontdesk/contracts';
import type { TenantReads } from '@frontdesk/database';
import { DAY_MINUTES, minuteOfTime, plusDays } from '@frontdesk/local-time';
import { AppError, inTenantQueue, invalid } from '@frontdesk/service';
import type { DateRange } from '../working-hours/date-range.rules.ts';
import { rangesWithin } from '../working-hours/portions.rules.ts';
import { type StartFilter, stepsOfDay } from './availability.rules.ts';
import { findCatalogueAndBusy, findCatalogueWithoutCalendars } from './catalogue.repository.ts';
import { findFreeStarts } from './find-free-starts.ts';
import { type Catalogue, type Offer, offerOf } from './offer.rules.ts';
import { slotRecord } from './slot.rules.ts';

/** What one question asks of each portion of its days. */
interface Asked {
  serviceId: number;
  staffId: number | null;
  /** The appointment that is to be moved: it doesn't block its own new slot. */
  movedId: number | null;
  only: StartFilter;
  signal: AbortSignal;
}

/**
 * The free slots of one or several days, of one staff member or all who perform the service. One query for one day; for several
 * one, and one for each portion of the days: one portion, unless there are many staff. With a `limit`, no longer than it takes to
 * find so many.
 */
export async function findSlots(
  db: TenantReads,
  query: SlotsAdminQuery,
  { timezone, signal }: { timezone: string; signal: AbortSignal },
): Promise<Slot[]> {
  const {
    date,
    date_to = date,
    service_id: serviceId,
    staff_id: staffId = null,
    moved_id: movedId = null,
    limit = Number.POSITIVE_INFINITY,
  } = query;
  const range = { timezone, from: date, to: date_to };
  const asked = { serviceId, staffId, movedId, only: startFilter(query), signal };
  let portions: Iterable<DateRange> = [range];
  if (date !== date_to) {
    const catalogue = await findCatalogueWithoutCalendars(db, serviceId);
    const offer = requireOffer(catalogue, staffId);
    requireFewDays(range, asked.only, offer);
    portions = rangesWithin(range, offer.resources.length);
  }
  const slots: Slot[][] = [];
  let left = limit;
  for (const days of portions) {
    const found = await inTenantQueue(db.tenantId, signal, () => slotsWithin(db, asked, days, left));
    slots.push(found);
    left -= found.length;
    if (left === 0) break;
  }
  return slots.flat();
}

const startFilter = ({ weekdays, from_time, to_time }: SlotsQuery): StartFilter => ({
  weekdays: weekdays ? new Set(weekdays.map((name) => WEEKDAYS.indexOf(name) + 1)) : null,
  fromMinute: from_time === undefined ? 0 : minuteOfTime(from_time),
  toMinute: to_time === undefined ? DAY_MINUTES : minuteOfTime(to_time),
});

/** The first slots of these days, at most `limit`. */
async function slotsWithin(
  db: TenantReads,
  { only, signal, ...asked }: Asked,
  range: DateRange,
  limit: number,
): Promise<Slot[]> {
  const found = await findCatalogueAndBusy(db, asked, range);
  const offer = requireOffer(found?.catalogue ?? null, asked.staffId);
  const busy = found?.busy ?? new Map();
  const slots: Slot[] = [];
  for await (const start of findFreeStarts(offer, range, { busy, signal, only })) {
    slots.push(slotRecord(start, offer.service.durationMinutes, range.timezone));
    if (slots.length === limit) break;
  }
  return slots;
}

function requireOffer(catalogue: Catalogue | null, staffId: number | null): Offer {
  const { offer, errors } = offerOf(catalogue, staffId);
  if (offer === null) throw invalid(errors);
  return offer;
}

/**
 * Only days and starts that are looked for are work. A `limit` doesn't count: where little is free, all of it has to be looked through.
 * @throws AppError `too_much_asked`, whose message says how many days are allowed
 */
function requireFewDays(range: DateRange, only: StartFilter, { settings, resources }: Offer): void {
  const [first, end] = stepsOfDay(settings.slot_step_minutes, only);
  const workOfDay = (end - first) * resources.length;
  const days = weekdaysIn(range, only);
  if (days <= 1 || days * workOfDay <= MAX_SLOT_WORK) return;
  const allowed = Math.max(1, Math.floor(MAX_SLOT_WORK / workOfDay));
  const most = `${allowed === 1 ? '1 day' : `${allowed} days`}${only.weekdays ? ' of these weekdays' : ''}`;
  const message = `The date_to field asks for too much: at most ${most} can be asked for at once for this service.`;
  throw new AppError('too_much_asked', message, { faults: { date_to: [message] } });
}

/** How many of the days are looked for. */
function weekdaysIn({ from, to }: DateRange, { weekdays }: StartFilter): number {
  let days = 0;
  for (let date = from; date <= to; date = plusDays(date, 1))
    if (weekdays === null || weekdays.has(Temporal.PlainDate.from(date).dayOfWeek)) days += 1;
  return days;
}
