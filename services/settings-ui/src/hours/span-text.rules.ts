import type { TimeSpan } from '@frontdesk/contracts';
import type { FormValues } from '../forms/sent-form.rules.ts';

/** Hours of a day in one text, to be compared and chosen: `09:00-12:00 13:00-17:00`. */
export const textOfSpans = (spans: readonly TimeSpan[]): string =>
  spans
    .filter(({ start, end }) => start !== '' || end !== '')
    .map(({ start, end }) => `${start}-${end}`)
    .sort()
    .join(' ');

export const spansOfText = (text: string): TimeSpan[] =>
  text.split(' ').flatMap((span) => {
    const [start = '', end = ''] = span.split('-');
    return span === '' ? [] : [{ start, end }];
  });

/** The field in which somebody has chosen a day's hours, one's own or a colleague's. */
export const chosenField = (day: string) => `${day}_chosen`;

/** Fields of a form as spans make them. */
export const spanFields = (prefix: string, spans: readonly TimeSpan[]): FormValues => ({
  [`${prefix}start`]: spans.map(({ start }) => start),
  [`${prefix}end`]: spans.map(({ end }) => end),
});
