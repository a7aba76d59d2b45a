import type { Slot, SlotsQuery } from '@frontdesk/contracts';
import type { TenantReads } from '@frontdesk/database';
import { DAY_MINUTES } from '@frontdesk/local-time';
import { AppError, inTurn, invalid } from '@frontdesk/service';
import { findCatalogueAndBusy, findCatalogueWithoutCalendars } from '../data/catalogue.repository.ts';
import { type DateRange, daysOf } from '../domain/date-range.ts';
import { type Catalogue, type Offer, offerOf } from '../domain/offer.ts';
import { rangesWithin } from '../domain/portions.ts';
import { slotRecord } from '../domain/slot.ts';
import { findFreeStarts } from './find-free-starts.ts';

/**
 * Bound of the work of one answer: days × starts a day (1,440 minutes ÷ step) × staff, which is the largest number of pairs of a
 * start and a free staff member. It applies to several days; one day is always answered.
 */
const MAX_WORK = 150_000;

/**
 * The free slots of one or several days, of one staff member or all who perform the service. One query for one day; for several
 * one, and one for each portion of the days: one portion, unless there are many staff.
 */
export async function findSlots(
  db: TenantReads,
  query: SlotsQuery,
  { timezone, signal }: { timezone: string; signal: AbortSignal },
): Promise<Slot[]> {
  const { date, date_to = date, service_id: serviceId, staff_id: staffId = null } = query;
  const range = { timezone, from: date, to: date_to };
  let portions: Iterable<DateRange> = [range];
  if (date !== date_to) {
    const catalogue = await findCatalogueWithoutCalendars(db, serviceId);
    const offer = requireOffer(catalogue, staffId);
    requireFewDays(daysOf(range), offer);
    portions = rangesWithin(range, offer.resources.length);
  }
  const slots: Slot[][] = [];
  for (const days of portions)
    slots.push(
      await inTurn(db.tenantId, signal, () => slotsWithin(db, { serviceId, staffId }, days, signal)),
    );
  return slots.flat();
}

async function slotsWithin(
  db: TenantReads,
  asked: { serviceId: number; staffId: number | null },
  range: DateRange,
  signal: AbortSignal,
): Promise<Slot[]> {
  const found = await findCatalogueAndBusy(db, asked, range);
  const offer = requireOffer(found?.catalogue ?? null, asked.staffId);
  const slots: Slot[] = [];
  for await (const start of findFreeStarts(offer, range, { busy: found?.busy ?? new Map(), signal }))
    slots.push(slotRecord(start, offer.service.durationMinutes, range.timezone));
  return slots;
}

function requireOffer(catalogue: Catalogue | null, staffId: number | null): Offer {
  const { offer, errors } = offerOf(catalogue, staffId);
  if (offer === null) throw invalid(errors);
  return offer;
}

/** @throws AppError `too_much_asked`, whose message says how many days are allowed */
function requireFewDays(days: number, { settings, resources }: Offer): void {
  const workOfDay = Math.ceil(DAY_MINUTES / settings.slot_step_minutes) * resources.length;
  if (days * workOfDay <= MAX_WORK) return;
  const allowed = Math.max(1, Math.floor(MAX_WORK / workOfDay));
  const most = allowed === 1 ? '1 day' : `${allowed} days`;
  const message = `The date_to field asks for too much: at most ${most} can be asked for at once for this service.`;
  throw new AppError('too_much_asked', message, { errors: { date_to: [message] } });
}
