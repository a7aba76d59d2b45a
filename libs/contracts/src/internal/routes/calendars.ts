import { z } from 'zod';
import { dataOf } from '../../errors/envelope.ts';
import { dateField, pathId } from '../../fields/fields.ts';
import { calendarConflicts } from '../../resources/business/calendar-conflicts.ts';
import { calendarSchema, replaceHoursBody, timeOffSchema } from '../../resources/business/calendars.ts';
import { datedHoursBody, timeOffInput } from '../../resources/business/hours.ts';
import { type InternalRoutes, PAGES, TENANT } from './internal-route.ts';

const { id: pathNumber } = pathId.shape;

/** A calendar's: weekly hours, dates with hours of their own, and time off. A path that names no staff member has no `id`. */
const calendarRoutes = <const Owner extends '' | '/staff/{id}'>(owner: Owner) => {
  const path = `${TENANT}${owner}/calendar` as const;
  const ownerPath = z.looseObject({ id: pathNumber.optional() });
  const ofOwner = { callers: PAGES, scope: 'staff:read', params: ownerPath, record: 'Staff member' } as const;
  const ofException = {
    callers: PAGES,
    scope: 'settings:business',
    path: `${path}/exceptions/{date}`,
    params: ownerPath.extend({ date: dateField }),
    record: 'Exception',
    answer: dataOf(calendarSchema),
  } as const;
  return {
    getCalendar: { ...ofOwner, method: 'GET', path, answer: dataOf(calendarSchema) },
    /** Appointments that the calendar, as it is now, would not offer; without an `id` those of everybody. */
    listConflicts: {
      ...ofOwner,
      scope: 'appointments:read',
      method: 'GET',
      path: `${path}/conflicts`,
      answer: dataOf(calendarConflicts),
    },
    replaceHours: {
      ...ofOwner,
      scope: 'settings:business',
      method: 'PUT',
      path: `${path}/hours`,
      body: replaceHoursBody,
      answer: dataOf(calendarSchema),
    },
    putException: { ...ofException, method: 'PUT', body: datedHoursBody },
    deleteException: { ...ofException, method: 'DELETE' },
    createTimeOff: {
      ...ofOwner,
      scope: 'settings:desk',
      method: 'POST',
      path: `${path}/time-off`,
      body: timeOffInput,
      status: 201,
      answer: dataOf(timeOffSchema),
    },
    deleteTimeOff: {
      scope: 'settings:desk',
      method: 'DELETE',
      path: `${path}/time-off/{time_off_id}`,
      callers: PAGES,
      params: ownerPath.extend({ time_off_id: pathNumber }),
      answer: dataOf(calendarSchema),
      record: 'Time off',
    },
  } as const satisfies InternalRoutes;
};

export const businessCalendarRoutes = calendarRoutes('');
export const staffCalendarRoutes = calendarRoutes('/staff/{id}');
