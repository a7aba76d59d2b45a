import type { TenantTransaction } from '@frontdesk/database';
import { lockPreferredResource } from '../data/booking.repository.ts';
import { findCatalogueWithoutCalendars } from '../data/catalogue.repository.ts';
import { shareBusiness } from '../data/settings.repository.ts';
import { type AppointmentRow, termsOf, wishOf } from '../domain/appointment.ts';
import { dayOf } from '../domain/day.ts';
import { BUSINESS } from '../domain/slot.ts';
import { occupiedBy } from '../domain/visit.ts';
import { holdAndPlan, requirePlan } from './plan-booking.ts';
import { type AlternativesSearch, slotTaken, slotUnavailable } from './slot-unavailable.ts';

/**
 * Takes again the slot that an appointment once gave up: it is free, and its staff member still works here. An appointment
 * in the past may return to any staff member.
 * @param context.enforcesSlots only where the slot is offered
 * @throws AppError `slot_unavailable`, with what is free nearby: with the same staff member, while they work here;
 * `validation_failed` for a slot that is not offered
 */
export async function retakeSlot(
  tx: TenantTransaction,
  row: AppointmentRow,
  context: { timezone: string; search: AlternativesSearch; enforcesSlots: boolean },
): Promise<void> {
  const { timezone, search, enforcesSlots } = context;
  const terms = termsOf(row);
  if (enforcesSlots) {
    const wish = { ...wishOf(row, timezone), enforcesSlots };
    requirePlan(await holdAndPlan(tx, wish, { timezone, terms }), { search, movedId: row.id });
  }
  const startsAt = row.starts_at.getTime();
  const resourceId = row.staff_id ?? BUSINESS;
  const place = {
    candidates: [{ resourceId, isOnShift: true }],
    occupied: occupiedBy(terms, startsAt),
    day: dayOf(row.local_date, row.timezone),
  };
  const now = Date.now();
  const isComing = startsAt >= now && resourceId !== BUSINESS;
  if (isComing) await shareBusiness(tx);
  const isFree = (await lockPreferredResource(tx, place, row.id)) !== null;
  if (isFree && !isComing) return;

  const catalogue = await findCatalogueWithoutCalendars(tx, row.service_id);
  if (catalogue === null) throw slotTaken();
  const isHere = resourceId === BUSINESS || catalogue.staff.some(({ id }) => id === resourceId);
  if (isFree && isHere) return;
  const others = catalogue.staff.filter(({ id, performs }) => performs && (!isHere || id === resourceId));
  const resources = resourceId === BUSINESS ? [{ id: BUSINESS }] : others;
  const offer = { settings: catalogue.settings, service: terms, resources };
  throw slotUnavailable(search, { offer, startsAt, timezone, movedId: row.id });
}
