import type {
  BookingSettingsRecord,
  BusinessDocument,
  FieldFaults,
  ImportedBusiness,
  NamedRecord,
  Quotas,
} from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { changesOf, invalid, requireStorage, timeSlices } from '@frontdesk/service';
import { lockBusiness, updateBookingSettings } from '../booking-settings/booking-settings.repository.ts';
import { withChoice } from '../booking-settings/booking-settings.rules.ts';
import { requireImported } from '../services/named-records.ts';
import { replacePerformed } from '../services/performers.repository.ts';
import { lockServices, saveServices } from '../services/service.repository.ts';
import { lockStaff, saveStaff } from '../staff/staff.repository.ts';
import { BUSINESS } from '../working-hours/calendar.rules.ts';
import { boundErrors } from '../working-hours/calendar-bounds.rules.ts';
import { replaceCalendars } from '../working-hours/own-calendar.repository.ts';
import { type CalendarChange, calendarChange, isChange } from '../working-hours/own-calendar.rules.ts';
import { readBusiness } from './business.repository.ts';
import { type Business, businessErrors } from './business.rules.ts';
import { changedServices, compareStaff, type StaffChange } from './business-changes.rules.ts';

/**
 * Brings a business to what the document says; services and staff are matched by name. What the document doesn't name stays as
 * it is, and so does the version of whatever it changes nothing about.
 * @throws AppError `validation_failed`, `quota_exceeded`
 */
export async function importBusiness(
  tx: TenantTransaction,
  document: BusinessDocument,
  tenant: { currency: string; quotas: Quotas; storage_full: boolean },
): Promise<ImportedBusiness> {
  const { currency, quotas } = tenant;
  const before = await readBusiness(tx, await lockBusiness(tx));
  const calendar = before.calendarOf(BUSINESS);
  const staff = await changedStaff(before, document, {
    ...boundErrors(calendar, document),
    ...businessErrors(document, currency, before),
  });
  const services = changedServices(before.services, document, currency);
  const staffFields = staff.map(({ fields }) => fields);
  requireImported('services', { before: before.services, changed: services, quotas });
  requireImported('staff', { before: before.staff, changed: staffFields, quotas });
  if (hasNew(before.services, services) || hasNew(before.staff, staffFields)) requireStorage(tenant);
  // In the order in which bookings hold them.
  await lockStaff(tx, deactivated(before.staff, staffFields));
  await lockServices(tx, deactivated(before.services, services));
  const serviceIds = idsByName(before.services, await saveServices(tx, services));
  const staffIds = idsByName(before.staff, await saveStaff(tx, staffFields));

  const changes = staff.map(({ fields, ...change }) => ({ ...change, id: staffIds(fields.name) }));
  await replacePerformed(
    tx,
    changes.flatMap(({ id, performs }) =>
      performs ? [{ staffId: id, serviceIds: performs.map(serviceIds) }] : [],
    ),
  );
  const ownChange = calendarChange(calendar, document);
  const ofStaff = changes.map((change) => [change.id, change.calendar] as const);
  await replaceCalendars(tx, new Map([[BUSINESS, ownChange], ...ofStaff]));
  await storeSettings(tx, before, document, ownChange);
  return { services: named(document.services, serviceIds), staff: named(document.staff, staffIds) };
}

/** What changes about staff. @throws AppError `validation_failed` for these errors and those of staff */
async function changedStaff(
  before: Business,
  document: BusinessDocument,
  errors: FieldFaults,
): Promise<StaffChange[]> {
  const pause = timeSlices();
  const changes: StaffChange[] = [];
  for (const member of compareStaff(before, document)) {
    Object.assign(errors, member.errors);
    if (member.change) changes.push(member.change);
    await pause();
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return changes;
}

function hasNew(before: readonly { name: string }[], after: readonly { name: string }[]): boolean {
  const known = new Set(before.map(({ name }) => name));
  return after.some(({ name }) => !known.has(name));
}

/** Who may be booked until now, and no longer: bookings under way are waited for. */
function deactivated(
  before: readonly { id: number; name: string; is_active: boolean }[],
  after: readonly { name: string; is_active: boolean }[],
): number[] {
  const leaving = new Set(after.filter((entry) => !entry.is_active).map(({ name }) => name));
  return before.filter((row) => row.is_active && leaving.has(row.name)).map(({ id }) => id);
}

function idsByName(...lists: readonly NamedRecord[][]): (name: string) => number {
  const ids = new Map(lists.flat().map(({ id, name }) => [name, id]));
  return (name) => ids.get(name) as number;
}

const named = (records: readonly { name: string }[], idOf: (name: string) => number) =>
  records.map(({ name }) => ({ id: idOf(name), name }));

async function storeSettings(
  tx: TenantTransaction,
  { settings }: Business,
  document: BusinessDocument,
  ownChange: CalendarChange,
): Promise<void> {
  const wanted = changesOf<BookingSettingsRecord>(settings, document.settings ?? {});
  // What an export states without change, as its own import does, nobody has chosen.
  if (wanted || isChange(ownChange)) await updateBookingSettings(tx, withChoice(wanted ?? {}));
}
