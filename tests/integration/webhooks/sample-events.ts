import { randomUUID } from 'node:crypto';
import type { Appointment, Customer, DomainEvent } from '@frontdesk/contracts';

const appointment: Appointment = {
  id: 5,
  customer_id: 11,
  service_id: 2,
  staff_id: 3,
  appointment_date: '2026-03-02',
  appointment_time: '10:00',
  end_time: '10:45',
  duration_minutes: 45,
  timezone: 'Europe/Berlin',
  starts_at: '2026-03-02T10:00:00+01:00',
  ends_at: '2026-03-02T10:45:00+01:00',
  status: 'scheduled',
  notes: 'Zoë ✂ "quoted"',
  source: 'api',
  price: 45.5,
  currency: 'EUR',
  created_at: '2026-02-20T08:00:00.000Z',
  updated_at: '2026-02-20T08:00:00.000Z',
  cancelled_at: null,
};

const customer: Customer = {
  id: 11,
  name: 'Zoë',
  phone: '+4930123456',
  email: null,
  segment: 'lead',
  pipeline_stage: null,
  notes: null,
  source: 'api',
  created_at: '2026-02-20T08:00:00.000Z',
  updated_at: '2026-02-20T08:00:00.000Z',
  total_appointments: 0,
  total_spent: 0,
  currency: 'EUR',
  last_visit_date: null,
};

type AppointmentEvent = 'appointment.created' | 'appointment.updated' | 'appointment.cancelled';

export function appointmentEvent(
  tenantId: number,
  type: AppointmentEvent = 'appointment.created',
  version = 1,
): DomainEvent<AppointmentEvent> {
  return {
    event_id: randomUUID(),
    type,
    schema_version: 1,
    tenant_id: tenantId,
    aggregate_id: appointment.id,
    aggregate_version: version,
    occurred_at: '2026-02-20T08:00:00.123Z',
    data: appointment,
  };
}

export function customerEvent(tenantId: number): DomainEvent<'customer.created'> {
  return {
    event_id: randomUUID(),
    type: 'customer.created',
    schema_version: 1,
    tenant_id: tenantId,
    aggregate_id: customer.id,
    aggregate_version: 1,
    occurred_at: '2026-02-20T08:00:00.123Z',
    data: customer,
  };
}

/** That many new appointments of one tenant. */
export function appointmentEvents(tenantId: number, count: number): DomainEvent[] {
  return Array.from({ length: count }, () => appointmentEvent(tenantId));
}
