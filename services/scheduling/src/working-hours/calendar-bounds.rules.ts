import {
  type CalendarInput,
  type DatedHours,
  type FieldErrors,
  MAX_CALENDAR_ENTRIES,
  MAX_SPANS,
  WEEKDAYS,
} from '@frontdesk/contracts';
import { type CalendarChange, calendarChange, type OwnCalendar } from './own-calendar.rules.ts';

/** Whether a change goes beyond the bound. What is beyond it already may stay or become fewer. */
export const exceeds = (max: number, before: number, after: number): boolean => after > max && after > before;

const TOO_MANY_SPANS = [`A day can have at most ${MAX_SPANS} spans.`];
const TOO_MANY_ENTRIES = [`A calendar can have at most ${MAX_CALENDAR_ENTRIES} of these.`];

/** Field errors where a change of a calendar would exceed its bounds. */
export function boundErrors(before: OwnCalendar, input: CalendarInput, prefix = ''): FieldErrors {
  const change = calendarChange(before, input);
  return Object.fromEntries(
    [...hoursErrors(before, change, input), ...entryErrors(before, change)].map(([field, messages]) => [
      `${prefix}${field}`,
      messages,
    ]),
  );
}

/** The same for the hours of one date. */
export function dateBoundErrors(before: OwnCalendar, { date, hours }: DatedHours): FieldErrors {
  const stored = before.exceptions.find((entry) => entry.date === date)?.hours.length ?? 0;
  return exceeds(MAX_SPANS, stored, hours.length) ? { hours: TOO_MANY_SPANS } : {};
}

function* hoursErrors(
  before: OwnCalendar,
  { hours = {} }: CalendarChange,
  { breaks = {} }: CalendarInput,
): Generator<[string, string[]]> {
  for (const day of WEEKDAYS)
    if (exceeds(MAX_SPANS, before.hours[day]?.length ?? 0, hours[day]?.length ?? 0))
      yield [breaks[day]?.length ? `breaks.${day}` : `hours.${day}`, TOO_MANY_SPANS];
}

function* entryErrors(
  before: OwnCalendar,
  { exceptions = [], time_off = [] }: CalendarChange,
): Generator<[string, string[]]> {
  const spansBefore = new Map(before.exceptions.map(({ date, hours }) => [date, hours.length]));
  for (const [index, { date, hours }] of exceptions.entries())
    if (exceeds(MAX_SPANS, spansBefore.get(date) ?? 0, hours.length))
      yield [`exceptions.${index}.hours`, TOO_MANY_SPANS];
  if (exceeds(MAX_CALENDAR_ENTRIES, before.exceptions.length, exceptions.length))
    yield ['exceptions', TOO_MANY_ENTRIES];
  if (exceeds(MAX_CALENDAR_ENTRIES, before.time_off.length, time_off.length))
    yield ['time_off', TOO_MANY_ENTRIES];
}
