import type { CreateAppointment } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { APPOINTMENTS_COUNTER } from '../data/appointment.repository.ts';
import { insertAppointment } from '../data/booking.repository.ts';
import { holdBusiness } from '../data/settings.repository.ts';
import { type AppointmentRow, appointmentRecord } from '../domain/appointment.ts';
import { planBooking } from './plan-booking.ts';
import { slotUnavailable } from './slot-unavailable.ts';

const DEFAULT_SOURCE = 'api';

/**
 * Books an appointment with the staff member asked for, or else with the one to prefer among those who are free.
 * @throws AppError `validation_failed`; `slot_unavailable` with alternatives.
 */
export async function bookAppointment(
  tx: TenantTransaction,
  wanted: CreateAppointment,
  context: { timezone: string; isCustomerKnown: boolean },
): Promise<AppointmentRow> {
  const wish = {
    date: wanted.appointment_date,
    time: wanted.appointment_time,
    serviceId: wanted.service_id,
    staffId: wanted.staff_id ?? null,
  };
  const [, plan] = await Promise.all([
    holdBusiness(tx),
    planBooking(tx, wish, {
      timezone: context.timezone,
      errors: context.isCustomerKnown ? {} : { customer_id: ['The selected customer_id is invalid.'] },
    }),
  ]);
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
