import type { BookHold } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { AppError, notFound } from '@frontdesk/service';
import { findAppointment } from '../appointments/appointment.repository.ts';
import type { AppointmentRow } from '../appointments/appointment.rules.ts';
import type { Actor } from '../appointments/appointment-history.rules.ts';
import {
  addBooked,
  countToday,
  DEFAULT_SOURCE,
  findBooker,
  type QuotaLeft,
  requireBooker,
  requireRoom,
} from '../appointments/book-appointment.ts';
import { type AlternativesSearch, alternativesTo } from '../appointments/slot-unavailable.ts';
import { termsOf } from '../availability/buffers.rules.ts';
import { findCatalogueWithoutCalendars } from '../availability/catalogue.repository.ts';
import type { Catalogue } from '../availability/offer.rules.ts';
import { shareBusiness } from '../booking-settings/booking-settings.repository.ts';
import { findKnownCustomer } from '../customers/customer.repository.ts';
import { BUSINESS } from '../working-hours/calendar.rules.ts';
import { bookLocked, lockHold } from './hold.repository.ts';
import type { HoldRow } from './hold.rules.ts';

interface BookedHold {
  row: AppointmentRow;
  /** Not booked just now, but by an earlier request for the same customer. */
  wasBooked: boolean;
}

/**
 * Books a hold for a customer. Later changes of hours or prices do not matter, as they do not to an appointment; but its service and its
 * staff member must still be active.
 * @param context.inCrm, context.search as for `bookAppointment`
 * @throws AppError `not_found`; `hold_expired` with alternatives; `hold_booked`; `validation_failed`, `quota_exceeded`.
 * CustomerNotKnown where crm wasn't asked yet.
 */
export async function bookHold(
  tx: TenantTransaction,
  id: number,
  wanted: BookHold,
  context: {
    quotaLeft: QuotaLeft;
    search: AlternativesSearch;
    by: Actor;
    inCrm?: number | null | undefined;
  },
): Promise<BookedHold> {
  const { quotaLeft, search, by, inCrm } = context;
  const booker = await findBooker(tx, inCrm ?? wanted.customer_id, quotaLeft);
  // The day's count is locked before the row: bookings clear expired holds after they have counted, and in two orders they could deadlock.
  const used = await countToday(tx, booker, quotaLeft);
  const hold = await lockHold(tx, id);
  if (hold === null) throw notFound('Hold');
  const ofCustomer = () => requireBooker(booker, { isAsked: inCrm !== undefined });
  if (hold.customer_id !== null)
    return bookedBefore(tx, { id, bookedFor: hold.customer_id, customerId: ofCustomer() });

  await shareBusiness(tx);
  const catalogue = await findCatalogueWithoutCalendars(tx, hold.service_id);
  const expired = () => holdExpired(search, hold, { catalogue, timezone: quotaLeft.tenant.timezone });
  if (!hold.is_open || !isStillThere(hold, catalogue)) throw expired();
  const customerId = ofCustomer();
  requireRoom(used, quotaLeft);
  const row = await bookLocked(tx, id, {
    customerId,
    notes: wanted.notes ?? null,
    source: wanted.source || DEFAULT_SOURCE,
    by,
  });
  if (row === null) throw expired();
  addBooked(tx, row, quotaLeft);
  return { row, wasBooked: false };
}

async function bookedBefore(
  tx: TenantTransaction,
  { id, bookedFor, customerId }: { id: number; bookedFor: number; customerId: number },
): Promise<BookedHold> {
  // Whose it is may have become part of another customer since.
  const isSame = bookedFor === customerId || (await findKnownCustomer(tx, bookedFor)) === customerId;
  const row = isSame ? await findAppointment(tx, id) : null;
  if (row === null) throw new AppError('hold_booked', 'The hold was booked for another customer.');
  return { row, wasBooked: true };
}

/** Whether the service can be booked and its staff member works here. */
function isStillThere({ staff_id }: HoldRow, catalogue: Catalogue | null): boolean {
  if (catalogue === null || catalogue.service === null) return false;
  return staff_id === null || catalogue.staff.some(({ id }) => id === staff_id);
}

/** With the nearest free slots of everybody who performs the service: nobody knows whether somebody was asked for. */
function holdExpired(
  search: AlternativesSearch,
  hold: HoldRow,
  { catalogue, timezone }: { catalogue: Catalogue | null; timezone: string },
): AppError {
  const message = 'The hold can no longer be booked.';
  // Its service or staff member may be there again before the hold expires.
  const isPassing = hold.is_open;
  if (catalogue === null || catalogue.service === null)
    return new AppError('hold_expired', message, { data: { alternatives: [] }, isPassing });
  const { settings, hasStaff, staff } = catalogue;
  const resources = hasStaff ? staff.filter(({ performs }) => performs) : [{ id: BUSINESS }];
  const offer = { settings, service: termsOf(hold), resources };
  return new AppError('hold_expired', message, {
    isPassing,
    complete: async () => ({
      alternatives: await alternativesTo(search, { offer, startsAt: hold.starts_at.getTime(), timezone }),
    }),
  });
}
