import {
  type BusinessRecord,
  EXCEPTION_DAYS,
  operations,
  PLAN_LIMITS,
  type Plan,
} from '@frontdesk/contracts';
import type { Database, TenantReads } from '@frontdesk/database';
import { localDate } from '@frontdesk/local-time';
import { type App, etagOfContent, ok, route } from '@frontdesk/service';
import { findTenantName, type TenantDirectory, type TenantProfile } from '@frontdesk/tenants';
import { findBookingSettings } from '../booking-settings/booking-settings.repository.ts';
import { BUSINESS } from '../working-hours/calendar.rules.ts';
import { findOwnHoursOfActiveStaff, readCalendars } from '../working-hours/own-calendar.repository.ts';
import { openingHoursOf } from './opening-hours.rules.ts';

/** The business that a key belongs to, for integrators. */
export function businessRecordRoute(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  route(app, operations.getBusiness, async ({ tenantId, identity }, reply) => {
    const tenant = await deps.tenants.find(tenantId);
    const record = await showBusiness(deps.database.forTenant(tenantId), tenant, identity.plan);
    reply.header('etag', etagOfContent(record));
    return ok(record);
  });
}

/** The business as its integrators see it. @param plan what its requests are counted by */
async function showBusiness(
  db: TenantReads,
  tenant: TenantProfile,
  plan: Plan = tenant.plan,
): Promise<BusinessRecord> {
  const { id, timezone, country, currency } = tenant;
  const [name, settings, calendarOf, ofStaff] = await Promise.all([
    findTenantName(db),
    findBookingSettings(db),
    readCalendars(db, [BUSINESS]),
    findOwnHoursOfActiveStaff(db),
  ]);
  const own = calendarOf(BUSINESS);
  const from = localDate(Date.now(), timezone);
  const { perMinute, perDay } = PLAN_LIMITS[plan];
  return {
    id,
    name,
    timezone,
    country,
    currency,
    ...openingHoursOf({ own, ofStaff }, { from, days: EXCEPTION_DAYS }),
    booking_policy: settings.booking_policy,
    plan,
    rate_limits: { per_minute: perMinute, per_day: perDay },
  };
}
