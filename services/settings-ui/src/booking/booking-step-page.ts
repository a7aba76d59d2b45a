import type { FastifyRequest } from 'fastify';
import type { AreaDeps } from '../area-deps.ts';
import { orNull } from '../clients/or-null.ts';
import type { BookingQuery } from '../records/booking-query.rules.ts';
import { numberOf } from '../records/call-words.view.ts';
import { EMPTY_FORM } from '../ui/page-context.ts';
import { servicesStep, timesStep } from './booking.view.ts';
import { customerStep } from './booking-customer.view.ts';
import { isOutsideHours } from './booking-grid.rules.ts';
import { isOffered, type LoadedBooking, loadFreeTimes } from './load-booking.ts';

/** The first step that isn't decided yet. */
export async function bookingStepPage(
  deps: AreaDeps,
  request: FastifyRequest,
  query: BookingQuery,
  { unread, ...loaded }: LoadedBooking & { unread: string | undefined },
): Promise<string> {
  const { session: by } = request;
  const context = deps.pages.context(request);
  const { service, staff, today } = loaded;
  if (service === null) return servicesStep(context, { query, loaded });
  const asked = { service_id: service.id, staff_id: staff?.id };
  const { date, time } = query;
  const wanted = date !== undefined && time !== undefined ? { date, time } : null;
  // The chosen staff member may not perform the service: the others are shown, and none is chosen.
  const isOther = query.staff_id !== undefined && staff === null && service.performers.length > 0;
  const isFree = query.anyway ? true : wanted && (await isOffered(deps, by, { ...asked, ...wanted }));
  if (wanted && isFree !== false && !isOther)
    return customerStep(context, loaded, { ...asked, ...wanted, ...firstForm(loaded) });
  const from = date !== undefined && date > today ? date : today;
  const [free, settings, day] = await Promise.all([
    loadFreeTimes(deps, by, asked, from),
    wanted && orNull(deps.scheduling.settings(by)),
    wanted && orNull(deps.appointments.day(by, wanted.date)),
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
    isOutside:
      day !== null &&
      wanted !== null &&
      isOutsideHours(day, staff?.id, wanted.time, service.duration_minutes),
  });
}

/** Who is known to be booked for; else the number of the call, as a new customer's. */
function firstForm({ customer, call }: LoadedBooking) {
  const number = call && numberOf(call);
  const values = customer === null && number ? { phone: number } : {};
  return {
    form: { ...EMPTY_FORM, values: { ...values, ...(customer && { customer_id: String(customer.id) }) } },
    q: '',
    searched: '',
    found: [],
    isSearchAway: false,
    alternatives: [],
    existing: null,
  };
}
