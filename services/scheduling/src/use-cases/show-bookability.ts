import type { Bookability } from '@frontdesk/contracts';
import { findCalendars } from '../data/calendar.repository.ts';
import { findSettings } from '../data/settings.repository.ts';
import { setupServices, setupStaff } from '../data/setup.repository.ts';
import type { TenantReads } from '../data/tenant-reads.ts';
import { bookabilityOf } from '../domain/bookability.ts';
import { localDate, plusDays } from '../domain/local-time.ts';
import { bookingSettings } from '../domain/settings.ts';

/** As far ahead as the next free slot of staff is looked for. */
const REACH_DAYS = 366;

/** What stands in the way of bookings. Four queries, however many staff and services. */
export async function showBookability(db: TenantReads, timezone: string): Promise<Bookability> {
  const [settings, services, staff] = await Promise.all([
    findSettings(db),
    setupServices(db),
    setupStaff(db),
  ]);
  const ids = staff.filter(({ is_active }) => is_active).map(({ id }) => id);
  const from = localDate(Date.now(), timezone);
  const calendars = await findCalendars(db, ids, { timezone, from, to: plusDays(from, REACH_DAYS) });
  return bookabilityOf({ settings: bookingSettings(settings), services, staff, calendars });
}
