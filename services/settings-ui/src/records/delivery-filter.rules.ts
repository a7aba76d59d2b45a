import {
  bookableDate,
  DELIVERY_STATUSES,
  eventIdField,
  TEST_EVENT,
  WEBHOOK_EVENTS,
} from '@frontdesk/contracts';
import { z } from 'zod';
import { addressOf, textsIn, unlessEmpty } from '../ui/addresses.rules.ts';

/** What may be looked for in the log. */
export const DELIVERY_EVENTS = [...Object.keys(WEBHOOK_EVENTS), TEST_EVENT];

const RECORD_ID = /^[1-9]\d{0,14}$/;

/** The page's query. */
export const deliveryFilter = z.object({
  /** Of an event or a delivery, as it was typed. */
  id: unlessEmpty(z.string().trim().max(80)),
  endpoint_id: unlessEmpty(z.string().regex(RECORD_ID)),
  event: unlessEmpty(z.enum(DELIVERY_EVENTS)),
  status: unlessEmpty(z.enum(DELIVERY_STATUSES)),
  from: unlessEmpty(bookableDate),
  to: unlessEmpty(bookableDate),
  page: unlessEmpty(z.string().regex(/^[1-9]\d{0,5}$/)),
});

export type DeliveryFilter = z.output<typeof deliveryFilter>;

/** The log on its page. */
export const deliveriesAddress = (filter: DeliveryFilter = {}): string =>
  addressOf('/settings/api', filter, 'deliveries');

/** The stream of the log. */
export const liveDeliveriesAddress = (filter: DeliveryFilter): string =>
  addressOf('/settings/api/deliveries/live', filter);

export const isFiltered = ({ page: _page, ...filter }: DeliveryFilter) =>
  Object.values(filter).some((value) => value !== undefined);

/**
 * The log's query: days are the business's, both of them included. Null where nothing can have the id that was typed.
 */
export function logQuery(filter: DeliveryFilter, zone: string, perPage: number): URLSearchParams | null {
  const { id, from, to, ...rest } = filter;
  const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime(zone).toInstant().toString();
  const query = new URLSearchParams(textsIn(rest));
  query.set('per_page', String(perPage));
  if (id !== undefined) {
    if (eventIdField.safeParse(id).success) query.set('event_id', id);
    else if (RECORD_ID.test(id)) query.set('id', id);
    else return null;
  }
  if (from) query.set('from', startOf(Temporal.PlainDate.from(from)));
  if (to) query.set('to', startOf(Temporal.PlainDate.from(to).add({ days: 1 })));
  return query;
}
