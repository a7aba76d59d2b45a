import { bookableDate, CALL_DIRECTIONS, CALL_OUTCOMES, CALL_SENTIMENTS } from '@frontdesk/contracts';
import { z } from 'zod';
import { CALLS } from '../records/addresses.rules.ts';
import { addressOf, textsIn, unlessEmpty } from '../ui/addresses.rules.ts';

export const CALLS_PER_PAGE = 25;

const RECORD_ID = /^[1-9]\d{0,14}$/;
const recordId = z.string().regex(RECORD_ID);

/** Of `missed`, at the desk: outbound calls that nobody answered. */
export const NO_ANSWER = 'no_answer';

/** The list's query: which calls are looked for. Days are the business's, both of them included. */
export const callFilter = z.object({
  missed: unlessEmpty(z.enum(['true', NO_ANSWER, 'false'])),
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

/**
 * The filter as pages show it: unanswered calls are missed if they came in, else without an answer. A direction that is
 * chosen beside decides which.
 */
export function deskFilter(filter: CallFilter): CallFilter {
  const { missed, direction } = filter;
  if (missed === undefined || missed === 'false' || direction === undefined) return filter;
  return { ...filter, missed: direction === 'outbound' ? NO_ANSWER : 'true' };
}

/**
 * The query of the calls service. Programs that ask for missed calls get all that it calls so, pages
 * those that came in.
 */
export function callQuery(
  { from, to, missed, direction, ...filter }: CallFilter,
  { isPage }: { isPage: boolean },
): Record<string, string> {
  const asked =
    missed === NO_ANSWER
      ? { missed: 'true', direction: 'outbound' }
      : { missed, direction: isPage && missed === 'true' ? 'inbound' : direction };
  return textsIn({ ...filter, ...asked, from_date: from, to_date: to, per_page: CALLS_PER_PAGE });
}
