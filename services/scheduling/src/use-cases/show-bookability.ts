import type { Bookability } from '@frontdesk/contracts';
import { findCalendars } from '../data/calendar.repository.ts';
import { findSettings } from '../data/settings.repository.ts';
import { setupServices, setupStaff } from '../data/setup.repository.ts';
import type { TenantReads } from '../data/tenant-reads.ts';
import { bookabilityOf } from '../domain/bookability.ts';
import { localDate, plusDays } from '../domain/local-time.ts';
import { bookingSettings } from '../domain/settings.ts';

/** A week has all weekly hours. Dates further ahead are read only where these leave somebody out. */
const FIRST_DAYS = 6;
/** As far ahead as the next free slot of staff is looked for. */
const REACH_DAYS = 366;

/** Which services and staff can't be booked, and why. Four or five queries, however many staff and services. */
export async function showBookability(db: TenantReads, timezone: string): Promise<Bookability> {
  const [settings, services, staff] = await Promise.all([
    findSettings(db),
    setupServices(db),
    setupStaff(db),
  ]);
  const ids = staff.filter(({ is_active }) => is_active).map(({ id }) => id);
  const from = localDate(Date.now(), timezone);
  const decide = async (days: number) => {
    const calendars = await findCalendars(db, ids, { timezone, from, to: plusDays(from, days) });
    return bookabilityOf({ settings: bookingSettings(settings), services, staff, calendars });
  };
  const soon = await decide(FIRST_DAYS);
  return isAboutHours(soon) ? decide(REACH_DAYS) : soon;
}

const ABOUT_HOURS = ['no_hours', 'no_opening_hours', 'too_long', 'hours_too_short'];

const isAboutHours = ({ services, staff }: Bookability) =>
  [...services, ...staff].some(({ obstacle }) => obstacle !== null && ABOUT_HOURS.includes(obstacle));
