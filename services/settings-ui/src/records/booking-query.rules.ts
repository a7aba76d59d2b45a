import { bookableDate, queryId, timeField } from '@frontdesk/contracts';
import { z } from 'zod';
import type { FormValues } from '../forms/sent-form.rules.ts';
import { MOST_OF_TIME, readTime } from '../region/read-time.rules.ts';
import { addressOf, unlessEmpty } from '../ui/addresses.rules.ts';

export const BOOKING = '/settings/calendar/book';

/** How far a booking has come. A date without a time is where free times are listed from. */
const bookingQuery = z.object({
  service_id: unlessEmpty(queryId),
  staff_id: unlessEmpty(queryId),
  date: unlessEmpty(bookableDate),
  time: unlessEmpty(timeField),
  customer_id: unlessEmpty(queryId),
  /** The call in which it is booked. */
  call_id: unlessEmpty(queryId),
  /** Books a time that is not offered, where the business's booking policy allows that. */
  anyway: z.literal('1').optional().catch(undefined),
});

/** The query of its pages: a form of theirs has a time as it was typed. */
export const bookingPageQuery = bookingQuery.extend({
  typed_time: unlessEmpty(z.string().max(MOST_OF_TIME)),
});

/** A start as it was typed; undefined where it can't be read. */
export const typedStart = (typed: string): string | undefined => timeField.safeParse(readTime(typed)).data;

export type BookingQuery = z.output<typeof bookingQuery>;

/** The address of a step; parts that are undefined are left out. */
export function bookingAddress(query: Partial<BookingQuery>): string {
  const { service_id, staff_id, date, time, customer_id, call_id, anyway } = query;
  return addressOf(BOOKING, { service_id, staff_id, date, time, customer_id, call_id, anyway });
}

/** What a form that was sent says of it, as far as it can be read. */
export function queryOfForm(sent: FormValues): Partial<BookingQuery> {
  const at = typeof sent.at === 'string' ? sent.at.split('T') : [];
  const [date = sent.date, time = sent.time] = at;
  const fields = Object.entries({ ...sent, date, time }).flatMap(([name, value]) => {
    const schema = bookingQuery.shape[name as keyof BookingQuery];
    const read = schema?.safeParse(value);
    return read?.success && read.data !== undefined ? [[name, read.data]] : [];
  });
  return Object.fromEntries(fields);
}
