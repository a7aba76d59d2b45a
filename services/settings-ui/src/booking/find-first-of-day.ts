import type { Appointment } from '@frontdesk/contracts';
import type { FastifyRequest } from 'fastify';
import { formDrawnAt } from '../changes/sent-once.ts';
import type { Clients } from '../clients/clients.ts';
import { orNull } from '../clients/or-null.ts';
import type { BookingBody } from './booking-form.rules.ts';

/**
 * What the customer has of the same service on that day already, unless the form has asked about it. Null also where scheduling can't
 * say, and for what this form has booked itself: it is sent again.
 */
export async function findFirstOfDay(
  { customers }: Pick<Clients, 'customers'>,
  request: FastifyRequest,
  { customer_id, second_of, service_id, date, time }: BookingBody,
): Promise<Appointment | null> {
  if (customer_id === undefined || second_of === customer_id) return null;
  const drawnAt = formDrawnAt(request);
  const isOwn = ({ appointment_time, created_at }: Appointment) =>
    appointment_time === time && (drawnAt === null || Date.parse(created_at) >= drawnAt);
  const ofDay = await orNull(customers.appointmentsOn(request.tenantId, customer_id, date));
  return ofDay?.find((one) => one.service_id === service_id && isKept(one) && !isOwn(one)) ?? null;
}

const isKept = ({ status }: Appointment) => status === 'scheduled' || status === 'completed';
