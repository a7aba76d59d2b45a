import { bookableDate, CALL_DIRECTIONS, CALL_OUTCOMES, CALL_SENTIMENTS } from '@frontdesk/contracts';
import { z } from 'zod';
import { addressOf, textsIn, unlessEmpty } from '../shared/addresses.ts';
import { CALLS } from './call-addresses.ts';

export const CALLS_PER_PAGE = 25;

const RECORD_ID = /^[1-9]\d{0,14}$/;
const recordId = z.string().regex(RECORD_ID);

/** The list's query: which calls are looked for. Days are the business's, both of them included. */
export const callFilter = z.object({
  missed: unlessEmpty(z.enum(['true', 'false'])),
  outcome: unlessEmpty(z.enum(CALL_OUTCOMES)),
  sentiment: unlessEmpty(z.enum(CALL_SENTIMENTS)),
  direction: unlessEmpty(z.enum(CALL_DIRECTIONS)),
  source_id: unlessEmpty(recordId),
  customer_id: unlessEmpty(recordId),
  from: unlessEmpty(bookableDate),
  to: unlessEmpty(bookableDate),
  page: unlessEmpty(z.string().regex(/^[1-9]\d{0,4}$/)),
});

export type CallFilter = z.output<typeof callFilter>;

export const callsAddress = (filter: CallFilter = {}): string => addressOf(CALLS, filter);

export const isCallFiltered = ({ page: _page, ...filter }: CallFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined);

/** The query of the calls service. */
export function callQuery({ from, to, ...filter }: CallFilter): Record<string, string> {
  return textsIn({ ...filter, from_date: from, to_date: to, per_page: CALLS_PER_PAGE });
}
