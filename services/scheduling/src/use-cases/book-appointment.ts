import type { CreateAppointment } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { APPOINTMENTS_COUNTER } from '../data/appointment.repository.ts';
import { insertAppointment } from '../data/booking.repository.ts';
import { isKnownCustomer } from '../data/customer.repository.ts';
import { holdBusiness } from '../data/settings.repository.ts';
import { type AppointmentRow, appointmentRecord } from '../domain/appointment.ts';
import { planBooking, requirePlan } from './plan-booking.ts';
import { slotUnavailable } from './slot-unavailable.ts';

const DEFAULT_SOURCE = 'api';
const UNKNOWN_CUSTOMER = { customer_id: ['The selected customer_id is invalid.'] };

/** No event has told of the customer yet: their owner is to be asked before the booking is tried again. */
export class CustomerNotSeen extends Error {
  override name = 'CustomerNotSeen';
}

/**
 * Books an appointment with the staff member asked for, or else with the one to prefer among those who are free.
 * `isCustomerKnown` is what the customers' owner has said of the customer, once it was asked.
 * @throws AppError `validation_failed`; `slot_unavailable` with alternatives. CustomerNotSeen where the owner wasn't asked yet.
 */
export async function bookAppointment(
  tx: TenantTransaction,
  wanted: CreateAppointment,
  { timezone, isCustomerKnown }: { timezone: string; isCustomerKnown?: boolean | undefined },
): Promise<AppointmentRow> {
  const wish = {
    date: wanted.appointment_date,
    time: wanted.appointment_time,
    serviceId: wanted.service_id,
    staffId: wanted.staff_id ?? null,
  };
  // Sent together: neither waits for the other's answer, and what is read is read with the business held.
  const [isSeen, , planned] = await Promise.all([
    isCustomerKnown ?? isKnownCustomer(tx, wanted.customer_id),
    holdBusiness(tx),
    planBooking(tx, wish, { timezone }),
  ]);
  if (!isSeen && isCustomerKnown === undefined) throw new CustomerNotSeen();
  const plan = requirePlan(planned, isSeen ? {} : UNKNOWN_CUSTOMER);
  const row = await insertAppointment(tx, plan, {
    customerId: wanted.customer_id,
    notes: wanted.notes ?? null,
    source: wanted.source || DEFAULT_SOURCE,
  });
  if (row === null) throw await slotUnavailable(tx, plan);
  tx.emit('appointment.created', {
    aggregateId: row.id,
    version: row.version,
    data: appointmentRecord(row),
  });
  tx.addToCount(APPOINTMENTS_COUNTER, 1);
  return row;
}
