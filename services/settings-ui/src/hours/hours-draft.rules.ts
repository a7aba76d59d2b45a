import { type FieldErrors, type TimeSpan, WEEKDAYS, type WeeklyHours } from '@frontdesk/contracts';
import type { FormValues } from '../forms/sent-form.rules.ts';
import { isTime, TIME_FAULT, typedTime } from '../region/read-time.rules.ts';
import { chosenField, spanFields, spansOfText, textOfSpans } from './span-text.rules.ts';

export type Weekday = (typeof WEEKDAYS)[number];

/** Hours as they stand in a form: what isn't typed yet is empty, and midnight at the end of a day is `00:00`. */
export type DraftWeek = Record<Weekday, TimeSpan[]>;

const MIDNIGHT = '24:00';
const START_OF_DAY = '00:00';

const weekOf = (spansOf: (day: Weekday) => TimeSpan[]): DraftWeek =>
  Object.fromEntries(WEEKDAYS.map((day) => [day, spansOf(day)])) as DraftWeek;

const texts = (value: FormValues[string]): string[] => [value ?? []].flat();

/**
 * The stretches of a form's fields `…start` and `…end`, which come as often as there are rows; a time that can't be
 * read stays as it was typed.
 */
export function spansOf(values: FormValues, prefix = ''): TimeSpan[] {
  const ends = texts(values[`${prefix}end`]);
  return texts(values[`${prefix}start`]).map((start, index) => ({
    start: typedTime(start),
    end: typedTime(ends[index] ?? ''),
  }));
}

/** As entered, or as chosen among two people's. */
export const draftOfForm = (values: FormValues): DraftWeek =>
  weekOf((day) => {
    const [chosen] = texts(values[chosenField(day)]);
    return chosen === undefined ? spansOf(values, `${day}_`) : spansOfText(chosen);
  });

const weekFields = (spans: (day: Weekday) => FormValues): FormValues =>
  Object.assign({}, ...WEEKDAYS.map((day) => spans(day)));

/** As rows, none of them yet to be chosen. */
export const fieldsOfDraft = (draft: DraftWeek): FormValues =>
  weekFields((day) => ({ ...spanFields(`${day}_`, draft[day]), [chosenField(day)]: undefined }));

/** Each day in one text, as two people's hours are compared. */
export const comparedDays = (draft: DraftWeek): FormValues =>
  weekFields((day) => ({ [chosenField(day)]: textOfSpans(draft[day]) }));

/** A day that nothing is entered for has no stretch. */
export const draftSpans = (spans: readonly TimeSpan[]): TimeSpan[] =>
  spans.map(({ start, end }) => ({ start, end: end === MIDNIGHT ? START_OF_DAY : end }));

export const draftOfHours = (hours: WeeklyHours): DraftWeek => weekOf((day) => draftSpans(hours[day] ?? []));

const isEmpty = ({ start, end }: TimeSpan) => start === '' && end === '';

/** What is entered; rows that are left empty are none. */
export const enteredSpans = (spans: readonly TimeSpan[]): TimeSpan[] =>
  spans
    .filter((span) => !isEmpty(span))
    .map(({ start, end }) => ({ start, end: end === START_OF_DAY ? MIDNIGHT : end }))
    .sort((a, b) => a.start.localeCompare(b.start));

export const hoursOfDraft = (draft: DraftWeek): WeeklyHours => weekOf((day) => enteredSpans(draft[day]));

/** What is wrong with the stretches of one day, in the words of a form. */
export function spanErrors(spans: readonly TimeSpan[]): string[] {
  const entered = enteredSpans(spans);
  if (entered.some(({ start, end }) => start === '' || end === ''))
    return ['Enter both times, or clear both.'];
  if (entered.some(({ start, end }) => !isTime(start) || !isTime(end))) return [TIME_FAULT];
  if (entered.some(({ start, end }) => start >= end))
    return [
      'The end must be after the start. ' +
        'For work past midnight, enter hours until midnight here and from midnight on the next day.',
    ];
  const isOverlapping = entered.some(({ start }, index) => start < (entered[index - 1]?.end ?? ''));
  return isOverlapping ? ['These hours overlap.'] : [];
}

export function draftErrors(draft: DraftWeek): FieldErrors {
  const errors = WEEKDAYS.map((day) => [day, spanErrors(draft[day])] as const);
  return Object.fromEntries(errors.filter(([, messages]) => messages.length > 0));
}
