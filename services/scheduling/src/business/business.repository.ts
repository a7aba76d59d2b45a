import type { TenantReads } from '@frontdesk/database';
import type { StoredBookingSettings } from '../booking-settings/booking-settings.rules.ts';
import { listServices } from '../services/service.repository.ts';
import { listStaff } from '../staff/staff.repository.ts';
import { BUSINESS } from '../working-hours/calendar.rules.ts';
import { readCalendars } from '../working-hours/own-calendar.repository.ts';
import type { Business } from './business.rules.ts';

/** Everything that a business is set up with, in five queries. Hold or lock the business first, so that it is of one moment. */
export async function readBusiness(db: TenantReads, settings: StoredBookingSettings): Promise<Business> {
  const services = await listServices(db);
  const staff = await listStaff(db);
  const calendarOf = await readCalendars(db, [BUSINESS, ...staff.map(({ id }) => id)]);
  return { settings, services, staff, calendarOf };
}
