import {
  type BusinessDocument,
  type FieldFaults,
  MAX_NAMED_RECORDS,
  MAX_STAFF,
  toMinor,
} from '@frontdesk/contracts';
import {
  bookingSettingsRecord,
  type StoredBookingSettings,
} from '../booking-settings/booking-settings.rules.ts';
import { noAmount, type ServiceRow, serviceDocument } from '../services/service.rules.ts';
import type { PerformerRow } from '../staff/staff.rules.ts';
import { BUSINESS } from '../working-hours/calendar.rules.ts';
import { exceeds } from '../working-hours/calendar-bounds.rules.ts';
import type { OwnCalendar } from '../working-hours/own-calendar.rules.ts';
import { breakErrors } from '../working-hours/weekly-hours.rules.ts';

/** Everything that a business is set up with; what was deleted is not in it. */
export interface Business {
  settings: StoredBookingSettings;
  /** By id, as everybody lists them. */
  services: ServiceRow[];
  staff: PerformerRow[];
  /** Puts together the calendar of the business itself or of a staff member; all of them would take long. */
  calendarOf: (resourceId: number) => OwnCalendar;
}

const calendarFields = ({ hours, exceptions, time_off }: OwnCalendar) => ({
  hours,
  exceptions,
  time_off: time_off.map(({ start, end, note }) => ({ start, end, note })),
});

/** Staff with hours of their own look as in documents of earlier releases. */
function staffCalendarFields(calendar: OwnCalendar, follows_business_hours: boolean) {
  const { hours, ...dates } = calendarFields(calendar);
  return follows_business_hours ? { follows_business_hours, ...dates } : { hours, ...dates };
}

type DocumentMember = BusinessDocument['staff'][number];

/** The business as an import takes it, without its staff: names instead of ids, lists in the order in which they were made. */
export const documentHead = ({
  settings,
  services,
  calendarOf,
}: Business): Omit<BusinessDocument, 'staff'> => ({
  settings: bookingSettingsRecord(settings),
  ...calendarFields(calendarOf(BUSINESS)),
  services: services.map(serviceDocument),
});

/** Its staff, each put together when they are asked for. */
export function* documentStaff({ services, staff, calendarOf }: Business): Generator<DocumentMember> {
  const nameOf = new Map(services.map(({ id, name }) => [id, name]));
  for (const { id, name, specialties, service_ids, is_active, follows_business_hours, color } of staff)
    yield {
      name,
      specialties,
      is_active,
      color,
      services: service_ids.map((service) => nameOf.get(service) as string),
      ...staffCalendarFields(calendarOf(id), follows_business_hours),
    };
}

function repeated(field: (index: number) => string, values: string[]): FieldFaults {
  const seen = new Set<string>();
  const errors: FieldFaults = {};
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
): FieldFaults {
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

const calendarErrors = (calendar: CalendarFields, prefix = ''): FieldFaults => ({
  ...breakErrors(calendar, prefix),
  ...repeated(
    (index) => `${prefix}exceptions.${index}.date`,
    (calendar.exceptions ?? []).map(({ date }) => date),
  ),
});

/** What is wrong with a business document beyond the form of its fields and the bounds of calendars. `stored` is there already. */
export function businessErrors(
  document: BusinessDocument,
  currency: string,
  stored: { services: { name: string }[]; staff: { name: string }[] },
): FieldFaults {
  const errors: FieldFaults = {
    ...listErrors('services', stored.services, document.services),
    ...listErrors('staff', stored.staff, document.staff),
    ...calendarErrors(document),
  };
  for (const [index, { price }] of document.services.entries()) {
    const field = `services.${index}.price`;
    if (toMinor(price, currency) === null) errors[field] = [noAmount(field, currency)];
  }
  const names = new Set([...namesOf(stored.services), ...namesOf(document.services)]);
  for (const [index, member] of document.staff.entries()) {
    const field = `staff.${index}.services`;
    if (!member.services.every((name) => names.has(name)))
      errors[field] = [`The ${field} field must hold only names of services of this business.`];
    Object.assign(errors, calendarErrors(member, `staff.${index}.`));
    if (member.follows_business_hours && member.hours)
      errors[`staff.${index}.hours`] = [
        'Staff who follow the business’s hours can’t have hours of their own.',
      ];
  }
  return errors;
}
