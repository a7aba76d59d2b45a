import { preferredResource } from '../data/booking.repository.ts';
import { findCatalogue } from '../data/catalogue.repository.ts';
import type { TenantReads } from '../data/tenant-reads.ts';
import { type AppointmentRow, termsOf } from '../domain/appointment.ts';
import { NO_HOURS } from '../domain/calendar.ts';
import { rangeAround } from '../domain/date-range.ts';
import { dayOf } from '../domain/plan.ts';
import { BUSINESS } from '../domain/slot.ts';
import { occupiedBy } from '../domain/start-windows.ts';
import { slotTaken, slotUnavailable } from './slot-unavailable.ts';

/**
 * Sees to it that the slot which an appointment once gave up is still free for it.
 * @throws AppError `slot_unavailable`, with what the same member of staff has free nearby.
 */
export async function retakeSlot(db: TenantReads, row: AppointmentRow, timezone: string): Promise<void> {
  const terms = termsOf(row);
  const startsAt = row.starts_at.getTime();
  const resourceId = row.staff_id ?? BUSINESS;
  const place = {
    candidates: [{ resourceId, isOnShift: true }],
    occupied: occupiedBy(terms, startsAt),
    day: dayOf(row.local_date, row.timezone),
  };
  if ((await preferredResource(db, place, row.id)) !== null) return;

  const range = rangeAround(row.local_date, timezone, Date.now());
  const catalogue = await findCatalogue(db, row.service_id, range);
  if (catalogue === null) throw slotTaken([]);
  const resources = [{ id: resourceId, calendar: catalogue.calendars.get(resourceId) ?? NO_HOURS }];
  const offer = { settings: catalogue.settings, service: terms, resources };
  throw await slotUnavailable(db, { offer, startsAt, timezone }, row.id);
}
