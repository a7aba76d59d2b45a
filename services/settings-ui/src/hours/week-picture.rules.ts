import { type TimeSpan, WEEKDAYS, type WeeklyHours } from '@frontdesk/contracts';
import { hourText, spanText } from '../region/dates.rules.ts';
import { clockOf, minutesOf } from '../region/minutes.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { capitalised } from '../region/words.rules.ts';
import type { Weekday } from './hours-draft.rules.ts';

/** Where something lies on a day's line, in percent of it. */
export interface Place {
  x: number;
  width: number;
}

export interface DayPicture {
  day: Weekday;
  stretches: Place[];
  breaks: Place[];
  /** "09:00–12:00, 13:00–17:00"; empty on a day off. */
  text: string;
}

export interface WeekPicture {
  days: DayPicture[];
  /** Full hours along the line. */
  marks: { x: number; text: string }[];
  totalMinutes: number;
}

const HOUR = 60;
/** What is shown at least, so that weeks look alike. */
const FIRST_HOUR = 8;
const LAST_HOUR = 18;
/** Marks along the line at most. */
const MARKS = 8;

export const spansText = (region: Region, spans: readonly TimeSpan[]) =>
  spans.map(({ start, end }) => spanText(region, start, end)).join(', ');

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
const lengthOf = ({ start, end }: TimeSpan) => minutesOf(end) - minutesOf(start);

/** The hours that a picture's lines reach from and to. */
export interface Frame {
  from: number;
  to: number;
}

/** From the first hour in which anybody works to the last, so that several weeks can be compared. */
export function frameOf(weeks: readonly WeeklyHours[]): Frame {
  const all = weeks.flatMap((hours) => WEEKDAYS.flatMap((day) => hours[day] ?? []));
  return {
    from: Math.min(FIRST_HOUR, ...all.map(({ start }) => Math.floor(minutesOf(start) / HOUR))),
    to: Math.max(LAST_HOUR, ...all.map(({ end }) => Math.ceil(minutesOf(end) / HOUR))),
  };
}

/** A week of hours as a picture of seven lines. */
export function weekPicture(
  region: Region,
  hours: WeeklyHours,
  { from, to }: Frame = frameOf([hours]),
): WeekPicture {
  const week = WEEKDAYS.map((day) => ({ day, spans: hours[day] ?? [] }));
  const length = (to - from) * HOUR;
  const xOf = (minutes: number) => round(((minutes - from * HOUR) / length) * 100);
  const placeOf = (span: TimeSpan): Place => ({
    x: xOf(minutesOf(span.start)),
    width: round((lengthOf(span) / length) * 100),
  });
  return {
    days: week.map(({ day, spans }) => ({
      day,
      stretches: spans.map(placeOf),
      breaks: gapsOf(spans).map(placeOf),
      text: spansText(region, spans),
    })),
    marks: hourMarks(from, to).map((hour) => ({
      x: xOf(hour * HOUR),
      text: hourText(region, clockOf(hour * HOUR)),
    })),
    totalMinutes: sum(week.flatMap(({ spans }) => spans.map(lengthOf))),
  };
}

const round = (percent: number) => Math.round(percent * 100) / 100;

/** The breaks between stretches that don't touch. */
const gapsOf = (spans: readonly TimeSpan[]): TimeSpan[] =>
  spans.flatMap(({ start }, index) => {
    const before = spans[index - 1];
    return before && before.end < start ? [{ start: before.end, end: start }] : [];
  });

function hourMarks(from: number, to: number): number[] {
  const step = Math.ceil((to - from) / MARKS);
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_mark, index) => from + index * step);
}

const shortName = (day: Weekday) => capitalised(day.slice(0, 3));

/** ["Mon–Fri 09:00–17:00", "Sat 10:00–14:00"]; empty where nobody works on any day. */
export function hoursInWords(region: Region, hours: WeeklyHours): string[] {
  const groups: { from: Weekday; to: Weekday; text: string }[] = [];
  for (const [index, day] of WEEKDAYS.entries()) {
    const text = spansText(region, hours[day] ?? []);
    const last = groups.at(-1);
    if (last && last.text === text && last.to === WEEKDAYS[index - 1]) last.to = day;
    else groups.push({ from: day, to: day, text });
  }
  return groups
    .filter(({ text }) => text !== '')
    .map(
      ({ from, to, text }) =>
        `${from === to ? shortName(from) : `${shortName(from)}–${shortName(to)}`} ${text}`,
    );
}
