import type { Bookability } from '@frontdesk/contracts';
import type { TenantReads } from '@frontdesk/database';
import { localDate, plusDays } from '@frontdesk/local-time';
import { findCalendars } from '../data/calendar.repository.ts';
import { listServices } from '../data/service.repository.ts';
import { findSettings } from '../data/settings.repository.ts';
import { listStaff } from '../data/staff.repository.ts';
import { bookabilityOf } from '../domain/bookability.ts';
import { longestStretchMinutes } from '../domain/calendar.ts';
import { portionsOf } from '../domain/portions.ts';
import { BUSINESS } from '../domain/slot.ts';

/** A week has all weekly hours. Dates further ahead are read only where these leave somebody out. */
const FIRST_DAYS = 6;
/** As far ahead as the next free slot of staff is looked for. */
const REACH_DAYS = 366;

/** Which services and staff can't be booked, and why. Four or five queries; for many staff one more for each portion of their calendars. */
export async function showBookability(db: TenantReads, timezone: string): Promise<Bookability> {
  const [settings, services, staff] = await Promise.all([findSettings(db), listServices(db), listStaff(db)]);
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
  return isAboutHours(soon) ? decide(REACH_DAYS) : soon;
}

const ABOUT_HOURS = ['no_hours', 'no_opening_hours', 'too_long', 'hours_too_short'];

const isAboutHours = ({ services, staff }: Bookability) =>
  [...services, ...staff].some(({ obstacle }) => obstacle !== null && ABOUT_HOURS.includes(obstacle));
