import type { AppointmentStatus } from '@frontdesk/contracts';
import { eventOf, sampleAppointment } from '../../support/index.ts';

/** An event of an appointment as scheduling emits it. */
export function appointmentEvent(fields: {
  tenant_id: number;
  customer_id: number;
  id: number;
  version: number;
  status: AppointmentStatus;
  price: number;
  date: string;
  currency?: string;
}) {
  const { tenant_id, version, date, ...rest } = fields;
  const type = version === 1 ? 'appointment.created' : 'appointment.updated';
  return eventOf(type, tenant_id, sampleAppointment({ appointment_date: date, ...rest }), version);
}
