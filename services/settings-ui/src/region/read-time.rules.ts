import { timeField } from '@frontdesk/contracts';
import { clockText } from './dates.rules.ts';
import type { Region } from './region.rules.ts';

/** Said of a text that is no clock time, whatever the country. */
export const TIME_FAULT = 'Enter a time such as 14:00 or 2:00 PM.';

/** Characters of a time, as a field takes them. */
export const MOST_OF_TIME = 20;

/** Hour, minutes with or without a mark between, and which half of the day. */
const TYPED = /^(\d{1,2})(?:[:.h\s]?(\d{2}))?\s*(h)?\s*(?:([ap])\.?\s*m?\.?)?$/u;
const SPACES = /[\s\u00A0\u202F]+/gu;

/**
 * A clock time as people type it, as H:i: `14:00`, `14.00`, `1400`, `14h`, `14h30`, `14 Uhr`, `9`, `2pm`, `2:00 p.m.`.
 * Without AM or PM the clock has 24 hours; 24:00 is the midnight that closes a day. Null: it is no time.
 */
export function readTime(typed: string): string | null {
  const text = typed
    .trim()
    .toLowerCase()
    .replace(SPACES, ' ')
    .replace(/\s*uhr$/u, '');
  const [, hourText, minutes = '00', suffix, half] = TYPED.exec(text) ?? [];
  if (hourText === undefined || (suffix && half)) return null;
  const hour = half ? hourOfHalf(Number(hourText), half) : Number(hourText);
  const time = hour === null ? '' : `${String(hour).padStart(2, '0')}:${minutes}`;
  return isTime(time) ? time : null;
}

/** H:i. */
export const isTime = (time: string): boolean => time === '24:00' || timeField.safeParse(time).success;

/** The hour of a clock with twelve of them. */
const hourOfHalf = (hour: number, half: string): number | null =>
  hour < 1 || hour > 12 ? null : (hour % 12) + (half === 'p' ? 12 : 0);

/** As H:i where it can be read; anything else as it was typed, for a form to show again. */
export const typedTime = (typed: string): string => readTime(typed) ?? typed;

/** For a field: as the country's clocks show it where it can be read; anything else as it was typed. */
export const timeText = (region: Region, typed: string): string => {
  const time = readTime(typed);
  return time === null ? typed : clockText(region, time).replace('\u00A0', ' ');
};
