import type { TenantTransaction } from '@frontdesk/database';
import { invalid, notFound, type RequireVersion } from '@frontdesk/service';
import {
  lockBusiness,
  shareBusiness,
  updateBookingSettings,
} from '../booking-settings/booking-settings.repository.ts';
import { lockStaffMember } from '../staff/change-staff.ts';
import { findStaffMember, updateStaffMember } from '../staff/staff.repository.ts';
import { BUSINESS } from '../working-hours/calendar.rules.ts';
import { boundErrors } from '../working-hours/calendar-bounds.rules.ts';
import { readCalendars } from '../working-hours/own-calendar.repository.ts';
import type { OwnCalendar } from '../working-hours/own-calendar.rules.ts';

export interface VersionedCalendar {
  calendar: OwnCalendar;
  version: number;
}

const readCalendar = async (tx: TenantTransaction, resourceId: number) =>
  (await readCalendars(tx, [resourceId]))(resourceId);

/** The calendar of a staff member, or of the business itself, with its owner's version. @throws AppError `not_found` */
export async function showCalendar(tx: TenantTransaction, resourceId: number): Promise<VersionedCalendar> {
  const settings = await shareBusiness(tx);
  const owner = resourceId === BUSINESS ? settings : await findStaffMember(tx, resourceId);
  if (owner === null) throw notFound('Staff member');
  return { calendar: await readCalendar(tx, resourceId), version: owner.version };
}

/**
 * Lets `write` change a calendar, which says whether it did: that makes another version of the owner.
 * @throws AppError `not_found`, `precondition_failed`, `validation_failed`
 */
export async function changeCalendar(
  tx: TenantTransaction,
  resourceId: number,
  requireVersion: RequireVersion,
  write: (before: OwnCalendar) => Promise<boolean>,
): Promise<VersionedCalendar> {
  const owner = await lockOwner(tx, resourceId, requireVersion);
  const before = await readCalendar(tx, resourceId);
  if (!(await write(before))) return { calendar: before, version: owner.version };
  const calendar = await readCalendar(tx, resourceId);
  const errors = boundErrors(before, calendar);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return { calendar, version: await owner.bump() };
}

async function lockOwner(tx: TenantTransaction, resourceId: number, requireVersion: RequireVersion) {
  if (resourceId === BUSINESS) {
    const settings = await lockBusiness(tx);
    requireVersion(settings.version);
    return { version: settings.version, bump: async () => (await updateBookingSettings(tx, {})).version };
  }
  const { version } = await lockStaffMember(tx, resourceId, requireVersion);
  return { version, bump: async () => (await updateStaffMember(tx, resourceId, {})).version };
}
