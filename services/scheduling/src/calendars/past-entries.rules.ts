import type { FieldErrors, TimeOff } from '@frontdesk/contracts';
import { localTime } from '@frontdesk/local-time';

/** What is wrong with new hours for a date that is over on the business's clocks: nobody can be booked then. */
export const pastDateErrors = (date: string, { timezone, now }: Clock): FieldErrors =>
  date < localTime(now, timezone).date
    ? { date: ['This date is in the past. Choose today or a later date.'] }
    : {};

/** The same of time off that has ended. What is not over yet may have begun long ago. */
export function pastTimeOffErrors({ end }: Pick<TimeOff, 'end'>, { timezone, now }: Clock): FieldErrors {
  const { date, time } = localTime(now, timezone);
  return end <= `${date}T${time}` ? { end: ['These days are in the past. Choose a later end.'] } : {};
}

interface Clock {
  timezone: string;
  now: number;
}
