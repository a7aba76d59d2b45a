import {
  type BusinessDocument,
  type FieldErrors,
  toMinor,
  WEEKDAYS,
  type WeeklyHours,
} from '@frontdesk/contracts';
import { minuteOfTime } from './local-time.ts';

export interface HoursEntry {
  weekday: number;
  start_minute: number;
  end_minute: number;
}

/** Weekly hours as rows: weekday 1 is Monday. */
export function hoursEntries(hours: WeeklyHours): HoursEntry[] {
  return WEEKDAYS.flatMap((name, index) =>
    (hours[name] ?? []).map(({ start, end }) => ({
      weekday: index + 1,
      start_minute: minuteOfTime(start),
      end_minute: minuteOfTime(end),
    })),
  );
}

/** Prices in minor units, in the order of the document; null where a price is finer than the currency. */
export function pricesMinor(document: BusinessDocument, currency: string): (number | null)[] {
  return document.services.map(({ price }) => toMinor(price, currency));
}

function repeatedNames(list: 'services' | 'staff', records: { name: string }[]): FieldErrors {
  const seen = new Set<string>();
  const errors: FieldErrors = {};
  for (const [index, { name }] of records.entries()) {
    const field = `${list}.${index}.name`;
    if (seen.has(name)) errors[field] = [`The ${field} field has a duplicate value.`];
    seen.add(name);
  }
  return errors;
}

/** What is wrong with a business document beyond the form of its fields. `known` are services stored already. */
export function businessErrors(
  document: BusinessDocument,
  currency: string,
  known: ReadonlySet<string>,
): FieldErrors {
  const errors = {
    ...repeatedNames('services', document.services),
    ...repeatedNames('staff', document.staff),
  };
  for (const [index, minor] of pricesMinor(document, currency).entries()) {
    const field = `services.${index}.price`;
    if (minor === null) errors[field] = [`The ${field} field must be an amount of ${currency}.`];
  }
  const names = new Set([...known, ...document.services.map(({ name }) => name)]);
  for (const [index, { services }] of document.staff.entries()) {
    const field = `staff.${index}.services`;
    if (!services.every((name) => names.has(name)))
      errors[field] = [`The ${field} field must hold only names of services of this business.`];
  }
  return errors;
}
