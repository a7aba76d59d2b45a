import { isDeepStrictEqual } from 'node:util';
import { type BusinessDocument, type FieldFaults, toMinor } from '@frontdesk/contracts';
import { changesOf } from '@frontdesk/service';
import type { ServiceFields } from '../services/service.rules.ts';
import type { StaffFields } from '../staff/staff.rules.ts';
import { boundErrors } from '../working-hours/calendar-bounds.rules.ts';
import {
  type CalendarChange,
  calendarChange,
  EMPTY_CALENDAR,
  isChange,
} from '../working-hours/own-calendar.rules.ts';
import type { Business } from './business.rules.ts';

export interface StaffChange {
  fields: StaffFields;
  /** Names of all services that they perform from now on; null: as before. */
  performs: string[] | null;
  calendar: CalendarChange;
}

/** Whether these fields are of a new record, or say something else than it does. */
const isChanged = <Fields extends object>(before: Fields | undefined, fields: Fields) =>
  before === undefined || changesOf(before, fields) !== null;

/** Documents of earlier releases don't say it: then it stays. */
const asStored = <Value>(given: Value | null | undefined, before: Value | null | undefined): Value | null =>
  given === undefined ? (before ?? null) : given;

/** The services of the document that are new or differ from what is stored. */
export function changedServices(
  stored: Business['services'],
  document: BusinessDocument,
  currency: string,
): ServiceFields[] {
  const byName = new Map(stored.map((row) => [row.name, row]));
  return document.services
    .map(({ price, description, category, ...fields }) => ({
      ...fields,
      description: description ?? null,
      category: asStored(category, byName.get(fields.name)?.category),
      price_minor: toMinor(price, currency) as number,
      currency,
    }))
    .filter((fields) => isChanged<ServiceFields>(byName.get(fields.name), fields));
}

/** Documents of earlier releases don't say it: there, `hours`, even `{}`, are somebody's own. */
const followsBusinessHours = (
  before: StaffFields | undefined,
  { follows_business_hours, hours }: BusinessDocument['staff'][number],
): boolean => follows_business_hours ?? (hours ? false : (before?.follows_business_hours ?? true));

/** What the document changes about one staff member, or null; and where that would exceed the bounds of a calendar. */
interface MemberComparison {
  change: StaffChange | null;
  errors: FieldFaults;
}

/** Compares the staff of the document with those stored, each when they are asked for. */
export function* compareStaff(
  { services, staff, calendarOf }: Business,
  document: BusinessDocument,
): Generator<MemberComparison> {
  const serviceNames = new Map(services.map(({ id, name }) => [id, name]));
  const byName = new Map(staff.map((row) => [row.name, row]));
  for (const [index, member] of document.staff.entries()) {
    const before = byName.get(member.name);
    const calendar = before ? calendarOf(before.id) : EMPTY_CALENDAR;
    const { name, specialties, is_active } = member;
    const follows_business_hours = followsBusinessHours(before, member);
    const color = asStored(member.color, before?.color);
    const fields = { name, specialties, is_active, follows_business_hours, color };
    const performed = new Set(before?.service_ids.map((id) => serviceNames.get(id)));
    const wanted = new Set(member.services);
    const change = {
      fields,
      performs: isDeepStrictEqual(performed, wanted) ? null : [...wanted],
      calendar: calendarChange(calendar, follows_business_hours ? { ...member, hours: {} } : member),
    };
    const isNeeded =
      isChanged<StaffFields>(before, fields) || change.performs !== null || isChange(change.calendar);
    yield { change: isNeeded ? change : null, errors: boundErrors(calendar, member, `staff.${index}.`) };
  }
}
