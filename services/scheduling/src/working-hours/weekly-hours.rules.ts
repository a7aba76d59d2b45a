import {
  type FieldErrors,
  type TimeSpan,
  WEEKDAYS,
  type WeeklyHours,
  type WorkingHours,
} from '@frontdesk/contracts';
import { minuteOfTime, timeOfMinute } from '@frontdesk/local-time';
import { type Interval, without } from './interval.rules.ts';

export type SpanMinutes = [startMinute: number, endMinute: number];

export interface HoursEntry {
  weekday: number;
  start_minute: number;
  end_minute: number;
}

export const spanMinutes = (spans: readonly TimeSpan[]): SpanMinutes[] =>
  spans.map(({ start, end }) => [minuteOfTime(start), minuteOfTime(end)]);

export const timeSpans = (spans: readonly SpanMinutes[]): TimeSpan[] =>
  spans.map(([start, end]) => ({ start: timeOfMinute(start), end: timeOfMinute(end) }));

/** Weekly hours as rows: weekday 1 is Monday. */
export function hoursEntries(hours: WeeklyHours): HoursEntry[] {
  return WEEKDAYS.flatMap((name, index) =>
    spanMinutes(hours[name] ?? []).map(([start_minute, end_minute]) => ({
      weekday: index + 1,
      start_minute,
      end_minute,
    })),
  );
}

/** Rows, in order of time, as people write them: a day off is left out. */
export function weeklyHoursOf(entries: readonly HoursEntry[]): WeeklyHours {
  const days = Map.groupBy(entries, ({ weekday }) => weekday);
  return Object.fromEntries(
    WEEKDAYS.flatMap((name, index) => {
      const own = days.get(index + 1);
      return own ? [[name, timeSpans(own.map((entry) => [entry.start_minute, entry.end_minute]))]] : [];
    }),
  );
}

/** The same with a list for each day, empty on a day off. */
export const wholeWeek = (hours: WeeklyHours): WorkingHours =>
  Object.fromEntries(WEEKDAYS.map((name) => [name, hours[name] ?? []])) as WorkingHours;

const intervals = (spans: readonly TimeSpan[]): Interval[] =>
  spanMinutes(spans).map(([start, end]) => ({ start, end }));

/** Weekly hours with the breaks taken out. */
export function withoutBreaks(hours: WeeklyHours, breaks: WeeklyHours = {}): WeeklyHours {
  const days = Object.entries(hours).map(([day, spans]) => {
    const rest = without(intervals(spans), intervals(breaks[day as keyof WeeklyHours] ?? []));
    return [day, timeSpans(rest.map(({ start, end }) => [start, end]))];
  });
  return Object.fromEntries(days);
}

/** What is wrong with breaks: one that nobody would be working in anyway is a slip of the pen. */
export function breakErrors(
  { hours = {}, breaks = {} }: { hours?: WeeklyHours | undefined; breaks?: WeeklyHours | undefined },
  prefix = '',
): FieldErrors {
  const errors: FieldErrors = {};
  for (const [day, spans] of Object.entries(breaks)) {
    const worked = intervals(hours[day as keyof WeeklyHours] ?? []);
    const stray = spans.filter((span) => without(intervals([span]), worked).length > 0);
    if (stray.length > 0)
      errors[`${prefix}breaks.${day}`] = stray.map(
        ({ start, end }) => `The break from ${start} to ${end} is not within the hours of that day.`,
      );
  }
  return errors;
}
