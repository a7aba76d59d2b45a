import { randomUUID } from 'node:crypto';
import type { Appointment, Customer, DomainEvent, EventData, EventType } from '@frontdesk/contracts';

const at = '2026-02-20T08:00:00.123Z';

export const sampleCustomer = (fields: Partial<Customer> = {}): Customer => ({
  id: 11,
  name: 'Zoë',
  phone: '+4930123456',
  email: null,
  segment: 'lead',
  pipeline_stage: null,
  notes: null,
  source: 'api',
  created_at: at,
  updated_at: at,
  total_appointments: 0,
  total_spent: 0,
  currency: 'EUR',
  last_visit_date: null,
  ...fields,
});

export const sampleAppointment = (fields: Partial<Appointment> = {}): Appointment => ({
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
  created_at: at,
  updated_at: at,
  cancelled_at: null,
  ...fields,
});

/** An event of this record as its owner's outbox would hold it. */
export function eventOf<Type extends EventType>(
  type: Type,
  tenantId: number,
  data: EventData<Type>,
  version = 1,
): DomainEvent<Type> {
  return {
    event_id: randomUUID(),
    type,
    schema_version: 1,
    tenant_id: tenantId,
    aggregate_id: data.id,
    aggregate_version: version,
    occurred_at: at,
    data,
  };
}
