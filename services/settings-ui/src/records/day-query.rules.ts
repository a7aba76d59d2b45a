import { bookableDate, queryId } from '@frontdesk/contracts';
import { z } from 'zod';
import { addDays } from '../region/dates.rules.ts';
import { addressOf, unlessEmpty } from '../ui/addresses.rules.ts';

/** Which day is looked at; left out or empty, the business's today. */
export const dayQuery = z.object({
  date: unlessEmpty(bookableDate),
  cancelled: z.literal('1').optional().catch(undefined),
});

export type DayQuery = z.output<typeof dayQuery>;

/** The address of a day; the date left out is today. */
export const dayAddress = ({ date, cancelled }: DayQuery): string =>
  addressOf('/settings/calendar', { date, cancelled });

/** Which week is looked at, by one of its days; and whose: without anybody, everybody's. */
export const weekQuery = z.object({ date: unlessEmpty(bookableDate), staff_id: unlessEmpty(queryId) });

export type WeekQuery = z.output<typeof weekQuery>;

export const weekAddress = ({ date, staff_id }: WeekQuery): string =>
  addressOf('/settings/calendar/week', { date, staff_id });

/** The stream of a page of the calendar. */
export const liveAddress = (page: string): string => page.replace(/(\?|$)/, '/live$1');

/** So many days before or after; null beyond what can be booked. */
export function dateBeside(date: string, days: number): string | null {
  const beside = addDays(date, days);
  return bookableDate.safeParse(beside).success ? beside : null;
}
