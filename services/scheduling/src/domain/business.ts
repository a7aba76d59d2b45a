import {
  type BusinessDocument,
  type FieldErrors,
  MAX_NAMED_RECORDS,
  MAX_STAFF,
  toMinor,
} from '@frontdesk/contracts';
import { boundErrors, exceeds } from './calendar-bounds.ts';
import { EMPTY_CALENDAR, type OwnCalendar } from './own-calendar.ts';
import { amountMessage, type ServiceAdminRow, serviceDocument } from './service-admin.ts';
import { type StoredSettings, settingsRecord } from './settings.ts';
import type { StaffAdminRow } from './staff-admin.ts';
import { breakErrors } from './weekly-hours.ts';

/** Everything that a business is set up with; what was deleted is not in it. */
export interface Business {
  settings: StoredSettings;
  calendar: OwnCalendar;
  /** By id, as everybody lists them. */
  services: ServiceAdminRow[];
  staff: (StaffAdminRow & { calendar: OwnCalendar })[];
}

const calendarFields = ({ hours, exceptions, time_off }: OwnCalendar) => ({
  hours,
  exceptions,
  time_off: time_off.map(({ start, end, note }) => ({ start, end, note })),
});

/** The business as an import takes it: names instead of ids, lists in the order in which they were made. */
export function businessDocumentOf({ settings, calendar, services, staff }: Business): BusinessDocument {
  const nameOf = new Map(services.map(({ id, name }) => [id, name]));
  return {
    settings: settingsRecord(settings),
    ...calendarFields(calendar),
    services: services.map(serviceDocument),
    staff: staff.map((row) => ({
      name: row.name,
      specialties: row.specialties,
      services: row.service_ids.map((id) => nameOf.get(id) as string),
      is_active: row.is_active,
      ...calendarFields(row.calendar),
    })),
  };
}

function repeated(field: (index: number) => string, values: string[]): FieldErrors {
  const seen = new Set<string>();
  const errors: FieldErrors = {};
  for (const [index, value] of values.entries()) {
    if (seen.has(value)) errors[field(index)] = [`The ${field(index)} field has a duplicate value.`];
    seen.add(value);
  }
  return errors;
}

const namesOf = (records: readonly { name: string }[]) => records.map(({ name }) => name);

function listErrors(
  list: 'services' | 'staff',
  stored: { name: string }[],
  given: { name: string }[],
): FieldErrors {
  const names = new Set([...namesOf(stored), ...namesOf(given)]);
  const max = list === 'staff' ? MAX_STAFF : MAX_NAMED_RECORDS;
  return {
    ...repeated((index) => `${list}.${index}.name`, namesOf(given)),
    ...(exceeds(max, stored.length, names.size) && {
      [list]: [`A business can have at most ${max} ${list}; with these it would be ${names.size}.`],
    }),
  };
}

type CalendarFields = Pick<BusinessDocument, 'hours' | 'breaks' | 'exceptions'>;

const calendarErrors = (calendar: CalendarFields, prefix = ''): FieldErrors => ({
  ...breakErrors(calendar, prefix),
  ...repeated(
    (index) => `${prefix}exceptions.${index}.date`,
    (calendar.exceptions ?? []).map(({ date }) => date),
  ),
});

/** Field errors where a document would make calendars exceed their bounds. */
export function calendarBoundErrors(
  stored: Pick<Business, 'calendar' | 'staff'>,
  document: BusinessDocument,
): FieldErrors {
  const calendars = new Map(stored.staff.map(({ name, calendar }) => [name, calendar]));
  return Object.assign(
    boundErrors(stored.calendar, document),
    ...document.staff.map((member, index) =>
      boundErrors(calendars.get(member.name) ?? EMPTY_CALENDAR, member, `staff.${index}.`),
    ),
  );
}

/** What is wrong with a business document beyond the form of its fields. `stored` is there already. */
export function businessErrors(
  document: BusinessDocument,
  currency: string,
  stored: { services: { name: string }[]; staff: { name: string }[] },
): FieldErrors {
  const errors: FieldErrors = {
    ...listErrors('services', stored.services, document.services),
    ...listErrors('staff', stored.staff, document.staff),
    ...calendarErrors(document),
  };
  for (const [index, { price }] of document.services.entries()) {
    const field = `services.${index}.price`;
    if (toMinor(price, currency) === null) errors[field] = [amountMessage(field, currency)];
  }
  const names = new Set([...namesOf(stored.services), ...namesOf(document.services)]);
  for (const [index, member] of document.staff.entries()) {
    const field = `staff.${index}.services`;
    if (!member.services.every((name) => names.has(name)))
      errors[field] = [`The ${field} field must hold only names of services of this business.`];
    Object.assign(errors, calendarErrors(member, `staff.${index}.`));
  }
  return errors;
}
