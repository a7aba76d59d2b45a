import { randomUUID } from 'node:crypto';
import type { AppointmentStatus, DomainEvent } from '@frontdesk/contracts';

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
}): DomainEvent<'appointment.created' | 'appointment.updated'> {
  const { tenant_id, customer_id, id, version, status, price, date, currency = 'EUR' } = fields;
  const at = `${date}T08:00:00Z`;
  return {
    event_id: randomUUID(),
    type: version === 1 ? 'appointment.created' : 'appointment.updated',
    schema_version: 1,
    tenant_id,
    aggregate_id: id,
    aggregate_version: version,
    occurred_at: at,
    data: {
      ...{ id, customer_id, service_id: 1, staff_id: 1, appointment_date: date, appointment_time: '09:00' },
      ...{ end_time: '09:30', duration_minutes: 30, timezone: 'Europe/Berlin', starts_at: at, ends_at: at },
      ...{
        status,
        notes: null,
        source: 'api',
        price,
        currency,
        created_at: at,
        updated_at: at,
        cancelled_at: null,
      },
    },
  };
}
