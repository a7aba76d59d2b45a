import type { TenantReads } from '@frontdesk/database';
import type { Business } from '../domain/business.ts';
import type { StoredSettings } from '../domain/settings.ts';
import { BUSINESS } from '../domain/slot.ts';
import { readCalendars } from './own-calendar.repository.ts';
import { listServices } from './service.repository.ts';
import { listStaff } from './staff.repository.ts';

/** Everything that a business is set up with, in five queries. Hold or lock the business first, so that it is of one moment. */
export async function readBusiness(db: TenantReads, settings: StoredSettings): Promise<Business> {
  const services = await listServices(db);
  const staff = await listStaff(db);
  const calendarOf = await readCalendars(db, [BUSINESS, ...staff.map(({ id }) => id)]);
  return { settings, services, staff, calendarOf };
}
