import type { CreateAppointment } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { APPOINTMENTS_COUNTER } from '../data/appointment.repository.ts';
import { type BookingDetails, insertAppointment } from '../data/booking.repository.ts';
import { type AppointmentRow, appointmentRecord, type Wish } from '../domain/appointment.ts';
import { type PlanContext, planBooking } from './plan-booking.ts';
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
  const details = {
    customerId: wanted.customer_id,
    notes: wanted.notes ?? null,
    source: wanted.source || DEFAULT_SOURCE,
  };
  const row = await insertPlanned(tx, wish, details, {
    timezone: context.timezone,
    errors: context.isCustomerKnown ? {} : { customer_id: ['The selected customer_id is invalid.'] },
  });
  await tx.emit('appointment.created', {
    aggregateId: row.id,
    version: row.version,
    data: appointmentRecord(row),
  });
  await tx.addToCount(APPOINTMENTS_COUNTER, 1);
  return row;
}

async function insertPlanned(
  tx: TenantTransaction,
  wish: Wish,
  details: BookingDetails,
  context: PlanContext,
): Promise<AppointmentRow> {
  for (;;) {
    const plan = await planBooking(tx, wish, context);
    const outcome = await insertAppointment(tx, plan, details);
    if (outcome === 'taken') throw await slotUnavailable(tx, plan);
    // Deactivated since the plan was made: the next plan does without them, or says what is wrong with the wish.
    if (outcome !== 'no_longer_offered') return outcome;
  }
}
