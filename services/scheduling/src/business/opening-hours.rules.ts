import type { BusinessRecord } from '@frontdesk/contracts';
import { DAY_MINUTES, minuteOfTime, plusDays } from '@frontdesk/local-time';
import { type Interval, joined, without } from '../working-hours/interval.rules.ts';
import type { OwnCalendar } from '../working-hours/own-calendar.rules.ts';
import {
  type HoursEntry,
  hoursEntries,
  spanMinutes,
  timeSpans,
  weeklyHoursOf,
  wholeWeek,
} from '../working-hours/weekly-hours.rules.ts';

/** Minutes of one day. */
type Spans = Interval[];

/** What opening hours follow from. */
export interface OpeningHoursSources {
  /** The business's own calendar. */
  own: OwnCalendar;
  /** Weekly hours of active staff who have their own. They count where the business has entered none. */
  ofStaff: readonly HoursEntry[];
}

/** When a business is open in a week, and on which of so many dates from the first one on it is open at other hours. */
export function openingHoursOf(
  { own, ofStaff }: OpeningHoursSources,
  dates: { from: string; days: number },
): Pick<BusinessRecord, 'opening_hours' | 'exceptions'> {
  const ownEntries = hoursEntries(own.hours);
  const hasOwn = ownEntries.length > 0;
  const weekly = byWeekday(hasOwn ? ownEntries : ofStaff);
  const dated = new Map(own.exceptions.map(({ date, hours }) => [date, spansOf(hours)]));
  const last = plusDays(dates.from, dates.days);
  const closures = own.time_off.filter(({ start, end }) => end > dates.from && start < last);

  // Few of them touch any one date.
  const closuresOn = (date: string) =>
    closures
      .filter(({ start, end }) => end > date && start.slice(0, 10) <= date)
      .map((closure) => minutesOn(date, closure));

  const exceptions: BusinessRecord['exceptions'] = [];
  for (let date = dates.from; date < last; date = plusDays(date, 1)) {
    const usual = weekly.get(Temporal.PlainDate.from(date).dayOfWeek) ?? [];
    const changed = dated.get(date);
    // Staff with hours of their own keep a day that is shorter, but work no longer on one that isn't.
    const planned = changed && (hasOwn ? changed : within(usual, changed));
    const hours = without(planned ?? usual, joined(closuresOn(date)));
    if (!isSame(hours, usual)) exceptions.push({ date, hours: textOf(hours) });
  }
  return { opening_hours: wholeWeek(weeklyHoursOf([...weekly].flatMap(entriesOf))), exceptions };
}

const byWeekday = (entries: readonly HoursEntry[]): Map<number, Spans> =>
  new Map(
    [...Map.groupBy(entries, ({ weekday }) => weekday)].map(([weekday, ofDay]) => [
      weekday,
      joined(ofDay.map(({ start_minute, end_minute }) => ({ start: start_minute, end: end_minute }))),
    ]),
  );

const entriesOf = ([weekday, spans]: [number, Spans]): HoursEntry[] =>
  spans.map(({ start, end }) => ({ weekday, start_minute: start, end_minute: end }));

const spansOf = (hours: OwnCalendar['exceptions'][number]['hours']): Spans =>
  joined(spanMinutes(hours).map(([start, end]) => ({ start, end })));

const textOf = (spans: Spans) => timeSpans(spans.map(({ start, end }) => [start, end]));

const within = (spans: Spans, limits: Spans): Spans => without(spans, without([WHOLE_DAY], limits));

const WHOLE_DAY: Interval = { start: 0, end: DAY_MINUTES };

/** What a stretch between two local times takes of a date; nothing: an empty interval. */
function minutesOn(date: string, { start, end }: { start: string; end: string }): Interval {
  const minuteAt = (text: string) => {
    const day = text.slice(0, 10);
    if (day === date) return minuteOfTime(text.slice(11));
    return day < date ? 0 : DAY_MINUTES;
  };
  return { start: minuteAt(start), end: minuteAt(end) };
}

const isSame = (a: Spans, b: Spans): boolean =>
  a.length === b.length &&
  a.every(({ start, end }, index) => start === b[index]?.start && end === b[index].end);
