import { bookableDate } from '@frontdesk/contracts';
import { z } from 'zod';
import { unlessEmpty } from './address-query.ts';

/** Which day is looked at; left out or empty, the business's today. */
export const dayQuery = z.object({
  date: unlessEmpty(bookableDate),
  cancelled: z.literal('1').optional().catch(undefined),
});

export type DayQuery = z.output<typeof dayQuery>;

/** The address of a day; the date left out is today. */
export function dayAddress({ date, cancelled }: DayQuery): string {
  const query = new URLSearchParams({ ...(date && { date }), ...(cancelled && { cancelled }) }).toString();
  return `/settings/calendar${query && `?${query}`}`;
}

/** The day before or after; null beyond what can be booked. */
export function dateBeside(date: string, days: number): string | null {
  const beside = Temporal.PlainDate.from(date).add({ days }).toString();
  return bookableDate.safeParse(beside).success ? beside : null;
}
