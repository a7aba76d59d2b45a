import { type Bookability, NEXT_FREE_DAYS, schedulingRoutes } from '@frontdesk/contracts';
import type { Database, TenantReads } from '@frontdesk/database';
import { localDate, plusDays } from '@frontdesk/local-time';
import { type App, ok, route } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { findBookingSettings } from '../booking-settings/booking-settings.repository.ts';
import { listServices } from '../services/service.repository.ts';
import { listStaff } from '../staff/staff.repository.ts';
import { findCalendars } from '../working-hours/calendar.repository.ts';
import { BUSINESS, longestStretchMinutes } from '../working-hours/calendar.rules.ts';
import { portionsOf } from '../working-hours/portions.rules.ts';
import { bookabilityOf } from './bookability.rules.ts';

/** Whether the services and the staff of a business can be booked, and if not, why. */
export function bookabilityRoutes(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  route(app, schedulingRoutes.getBookability, async ({ tenantId }) => {
    const { timezone } = await deps.tenants.find(tenantId);
    return ok(await showBookability(deps.database.forTenant(tenantId), timezone));
  });
}

/** A week has all weekly hours. Dates further ahead are read only where these leave somebody out. */
const FIRST_DAYS = 6;

/** Which services and staff can't be booked, and why. Four or five queries; for many staff one more for each portion of their calendars. */
async function showBookability(db: TenantReads, timezone: string): Promise<Bookability> {
  const [settings, services, staff] = await Promise.all([
    findBookingSettings(db),
    listServices(db),
    listStaff(db),
  ]);
  const ids = [BUSINESS, ...staff.filter(({ is_active }) => is_active).map(({ id }) => id)];
  const from = localDate(Date.now(), timezone);
  const decide = async (days: number) => {
    const range = { timezone, from, to: plusDays(from, days) };
    const longestMinutes = new Map<number, number>();
    for (const portion of portionsOf(ids, range))
      for (const [id, calendar] of await findCalendars(db, portion, range))
        longestMinutes.set(id, longestStretchMinutes(calendar));
    return bookabilityOf({ settings, services, staff, longestMinutes });
  };
  const soon = await decide(FIRST_DAYS);
  return isAboutHours(soon) ? decide(NEXT_FREE_DAYS) : soon;
}

const ABOUT_HOURS = ['no_hours', 'no_opening_hours', 'too_long', 'hours_too_short'];

const isAboutHours = ({ services, staff }: Bookability) =>
  [...services, ...staff].some(({ obstacle }) => obstacle !== null && ABOUT_HOURS.includes(obstacle));
