import { isDeepStrictEqual } from 'node:util';
import type {
  CalendarInput,
  CalendarRecord,
  DatedHours,
  TimeOff,
  TimeOffRecord,
  WeeklyHours,
} from '@frontdesk/contracts';
import { hoursEntries, weeklyHoursOf, wholeWeek, withoutBreaks } from './weekly-hours.rules.ts';

/** What was entered for one staff member, or for the business itself; nobody else's closures are in it. */
export interface OwnCalendar {
  hours: WeeklyHours;
  /** In order of date. */
  exceptions: DatedHours[];
  /** In order of start. */
  time_off: TimeOffRecord[];
}

/** The parts that are to be replaced. */
export interface CalendarChange {
  hours?: WeeklyHours;
  exceptions?: DatedHours[];
  time_off?: TimeOff[];
}

export const EMPTY_CALENDAR: OwnCalendar = { hours: {}, exceptions: [], time_off: [] };

export const calendarRecord = ({ hours, exceptions, time_off }: OwnCalendar): CalendarRecord => ({
  hours: wholeWeek(hours),
  exceptions,
  time_off,
});

const sameHours = (a: WeeklyHours, b: WeeklyHours) => isDeepStrictEqual(hoursEntries(a), hoursEntries(b));

const sameEntries = <Entry>(a: Entry[], b: Entry[], textOf: (entry: Entry) => string) =>
  isDeepStrictEqual(a.map(textOf).sort(), b.map(textOf).sort());

const exceptionText = ({ date, hours, note }: DatedHours) =>
  JSON.stringify([date, hoursEntries({ monday: hours }), note]);

const timeOffText = ({ start, end, note }: TimeOff) => JSON.stringify([start, end, note]);

/** Those parts of the input that say something else than what is stored. */
export function calendarChange(before: OwnCalendar, input: CalendarInput): CalendarChange {
  const { exceptions, time_off } = input;
  const hours = input.hours && weeklyHoursOf(hoursEntries(withoutBreaks(input.hours, input.breaks)));
  return {
    ...(hours && !sameHours(hours, before.hours) && { hours }),
    ...(exceptions && !sameEntries(exceptions, before.exceptions, exceptionText) && { exceptions }),
    ...(time_off && !sameEntries(time_off, before.time_off, timeOffText) && { time_off }),
  };
}

export const isChange = (change: CalendarChange): boolean => Object.keys(change).length > 0;
