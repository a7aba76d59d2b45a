import type { CreateAppointment } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { APPOINTMENTS_COUNTER } from '../data/appointment.repository.ts';
import { insertAppointment } from '../data/booking.repository.ts';
import { isKnownCustomer } from '../data/customer.repository.ts';
import { type AppointmentRow, appointmentRecord } from '../domain/appointment.ts';
import { holdAndPlan, requirePlan } from './plan-booking.ts';
import { type AlternativesSearch, slotUnavailable } from './slot-unavailable.ts';

const DEFAULT_SOURCE = 'api';
const UNKNOWN_CUSTOMER = { customer_id: ['The selected customer_id is invalid.'] };

/** No event has brought the customer yet: crm is asked before the booking is tried again. */
export class CustomerNotKnown extends Error {
  override name = 'CustomerNotKnown';
}

/**
 * Books an appointment with the staff member asked for, or else with the one to prefer among those who are free.
 * @param context.isInCrm what crm has said of the customer, once it was asked
 * @param context.search looks for alternatives after the transaction
 * @throws AppError `validation_failed`, with alternatives where only the time is not offered; `slot_unavailable` with alternatives.
 * CustomerNotKnown where crm wasn't asked yet.
 */
export async function bookAppointment(
  tx: TenantTransaction,
  wanted: CreateAppointment,
  context: { timezone: string; search: AlternativesSearch; isInCrm?: boolean | undefined },
): Promise<AppointmentRow> {
  const { timezone, search, isInCrm } = context;
  const wish = {
    date: wanted.appointment_date,
    time: wanted.appointment_time,
    serviceId: wanted.service_id,
    staffId: wanted.staff_id ?? null,
    enforcesSlots: wanted.enforce_slots === true,
  };
  const [isKnown, planned] = await Promise.all([
    isInCrm ?? isKnownCustomer(tx, wanted.customer_id),
    holdAndPlan(tx, wish, { timezone }),
  ]);
  if (!isKnown && isInCrm === undefined) throw new CustomerNotKnown();
  const plan = requirePlan(planned, { search, others: isKnown ? {} : UNKNOWN_CUSTOMER });
  const row = await insertAppointment(tx, plan, {
    customerId: wanted.customer_id,
    notes: wanted.notes ?? null,
    source: wanted.source || DEFAULT_SOURCE,
  });
  if (row === null) throw slotUnavailable(search, plan);
  tx.emit('appointment.created', {
    aggregateId: row.id,
    version: row.version,
    data: appointmentRecord(row),
  });
  tx.addToCount(APPOINTMENTS_COUNTER, 1);
  return row;
}
