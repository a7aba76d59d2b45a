import type { CalendarInput } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { invalid, type RequireVersion } from '@frontdesk/service';
import { replaceCalendars } from '../data/own-calendar.repository.ts';
import { stopFollowing } from '../data/staff.repository.ts';
import { boundErrors } from '../domain/calendar-bounds.ts';
import { calendarChange, isChange } from '../domain/own-calendar.ts';
import { BUSINESS } from '../domain/slot.ts';
import { changeCalendar, type VersionedCalendar } from './change-calendar.ts';

/**
 * Gives the business, or a staff member, these weekly hours. Staff then no longer follow the business's.
 * @throws AppError `not_found`, `precondition_failed`, `validation_failed`
 */
export const replaceHours = (
  tx: TenantTransaction,
  resourceId: number,
  requireVersion: RequireVersion,
  hours: Pick<CalendarInput, 'hours' | 'breaks'>,
): Promise<VersionedCalendar> =>
  changeCalendar(tx, resourceId, requireVersion, async (before) => {
    const errors = boundErrors(before, hours);
    if (Object.keys(errors).length > 0) throw invalid(errors);
    const wanted = calendarChange(before, hours);
    await replaceCalendars(tx, new Map([[resourceId, wanted]]));
    const hasFollowed = resourceId !== BUSINESS && (await stopFollowing(tx, resourceId));
    return isChange(wanted) || hasFollowed;
  });
