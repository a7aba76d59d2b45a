import { type BusinessRecord, EXCEPTION_DAYS, PLAN_LIMITS, type Plan } from '@frontdesk/contracts';
import type { TenantReads } from '@frontdesk/database';
import { localDate } from '@frontdesk/local-time';
import { findTenantName, type TenantProfile } from '@frontdesk/tenants';
import { findStaffsOwnHours, readCalendars } from '../data/own-calendar.repository.ts';
import { findSettings } from '../data/settings.repository.ts';
import { openingHoursOf } from '../domain/opening-hours.ts';
import { BUSINESS } from '../domain/slot.ts';

/** The business as its integrators see it. @param plan what its requests are counted by */
export async function showBusiness(
  db: TenantReads,
  tenant: TenantProfile,
  plan: Plan = tenant.plan,
): Promise<BusinessRecord> {
  const { id, timezone, country, currency } = tenant;
  const [name, settings, calendarOf, ofStaff] = await Promise.all([
    findTenantName(db),
    findSettings(db),
    readCalendars(db, [BUSINESS]),
    findStaffsOwnHours(db),
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
