import type { FastifyRequest } from 'fastify';
import type { BookingQuery } from '../../domain/appointments/booking-query.ts';
import { isOffered, type LoadedBooking, loadFreeTimes } from '../../use-cases/load-booking.ts';
import { orNull } from '../../use-cases/or-null.ts';
import { servicesStep, timesStep } from '../../views/appointments/booking.view.ts';
import { customerStep } from '../../views/appointments/booking-customer.view.ts';
import { numberOf } from '../../views/calls/call-words.ts';
import { EMPTY_FORM } from '../../views/shared/page-context.ts';
import type { AreaDeps } from '../shared/area-deps.ts';

/** The first step that isn't decided yet. */
export async function bookingStepPage(
  deps: AreaDeps,
  request: FastifyRequest,
  query: BookingQuery,
  { unread, ...loaded }: LoadedBooking & { unread: string | undefined },
): Promise<string> {
  const { tenantId } = request;
  const context = deps.pages.context(request);
  const { service, staff, today } = loaded;
  if (service === null) return servicesStep(context, { query, loaded });
  const asked = { service_id: service.id, staff_id: staff?.id };
  const { date, time } = query;
  const wanted = date !== undefined && time !== undefined ? { date, time } : null;
  // The chosen staff member may not perform the service: the others are shown, and none is chosen.
  const isOther = query.staff_id !== undefined && staff === null && service.performers.length > 0;
  const isFree = query.anyway ? true : wanted && (await isOffered(deps, tenantId, { ...asked, ...wanted }));
  if (wanted && isFree !== false && !isOther)
    return customerStep(context, loaded, { ...asked, ...wanted, ...firstForm(loaded) });
  const from = date !== undefined && date > today ? date : today;
  const [free, settings] = await Promise.all([
    loadFreeTimes(deps, tenantId, asked, from),
    wanted && orNull(deps.scheduling.settings(tenantId)),
  ]);
  const isOpen = settings?.record.booking_policy === 'open';
  const refused = isFree === false ? wanted : null;
  return timesStep(context, {
    query: { ...query, ...asked },
    loaded,
    service,
    from,
    free,
    refused,
    unread,
    isOther,
    isOpen,
  });
}

/** Who is known to be booked for; else the number of the call, as a new customer's. */
function firstForm({ customer, call }: LoadedBooking) {
  const number = call && numberOf(call);
  const values = customer === null && number ? { phone: number } : {};
  return {
    form: { ...EMPTY_FORM, values: { ...values, ...(customer && { customer_id: String(customer.id) }) } },
    ...{ searched: '', found: [], isSearchAway: false, alternatives: [] },
  };
}
