import type { Slot, SlotsQuery } from '@frontdesk/contracts';
import { invalid } from '@frontdesk/service';
import { findCatalogueAndBusy } from '../data/catalogue.repository.ts';
import type { TenantReads } from '../data/tenant-reads.ts';
import { daysOf } from '../domain/date-range.ts';
import { offerOf } from '../domain/offer.ts';
import { slotRecord } from '../domain/slot.ts';
import { DAY_MINUTES } from '../domain/time-units.ts';
import { freeStartsOf } from './find-free-starts.ts';

/** Starts that may have to be looked at for everybody, in all; a single day may always be asked for. */
const MAX_WORK = 1_000_000;

/** The free slots of some days, for one member of staff or all who perform the service. One query. */
export async function findSlots(db: TenantReads, query: SlotsQuery, timezone: string): Promise<Slot[]> {
  const range = { timezone, from: query.date, to: query.date_to ?? query.date };
  const staffId = query.staff_id ?? null;
  const found = await findCatalogueAndBusy(db, { serviceId: query.service_id, staffId }, range);
  const { offer, errors } = offerOf(found?.catalogue ?? null, staffId);
  if (found === null || offer === null) throw invalid(errors);
  const days = daysOf(range);
  const startsAtMost = days * Math.ceil(DAY_MINUTES / offer.settings.slotStepMinutes);
  if (days > 1 && startsAtMost * offer.resources.length > MAX_WORK)
    throw invalid({ date_to: ['The date_to field asks for too much at once: ask for fewer days.'] });
  const starts = await freeStartsOf(offer, range, found.busy);
  return starts.map((start) => slotRecord(start, offer.service.durationMinutes, timezone));
}
