import type { Slot, SlotsQuery } from '@frontdesk/contracts';
import { invalid } from '@frontdesk/service';
import { findCatalogue } from '../data/catalogue.repository.ts';
import type { TenantReads } from '../data/tenant-reads.ts';
import { offerOf } from '../domain/offer.ts';
import { slotRecord } from '../domain/slot.ts';
import { findFreeStarts } from './find-free-starts.ts';

/** The free slots of some days, for one member of staff or all who perform the service. Two queries. */
export async function findSlots(db: TenantReads, query: SlotsQuery, timezone: string): Promise<Slot[]> {
  const range = { timezone, from: query.date, to: query.date_to ?? query.date };
  const catalogue = await findCatalogue(db, query.service_id, range);
  const { offer, errors } = offerOf(catalogue, query.staff_id ?? null);
  if (offer === null) throw invalid(errors);
  const starts = await findFreeStarts(db, offer, range);
  return Array.from(starts, (start) => slotRecord(start, offer.service.durationMinutes, timezone));
}
