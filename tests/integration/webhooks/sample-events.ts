import type { DomainEvent } from '@frontdesk/contracts';
import { eventOf, sampleAppointment, sampleCustomer } from '../../support/index.ts';

type AppointmentEvent = 'appointment.created' | 'appointment.updated' | 'appointment.cancelled';

export const appointmentEvent = (
  tenantId: number,
  type: AppointmentEvent = 'appointment.created',
  version = 1,
): DomainEvent<AppointmentEvent> => eventOf(type, tenantId, sampleAppointment(), version);

export const customerEvent = (tenantId: number) => eventOf('customer.created', tenantId, sampleCustomer());

/** That many new appointments of one tenant. */
export const appointmentEvents = (tenantId: number, count: number): DomainEvent[] =>
  Array.from({ length: count }, () => appointmentEvent(tenantId));
