import {
  type CallStatistics,
  callsRoutes,
  STATISTICS_CALL_DAYS,
  STATISTICS_CALL_WEEKS,
} from '@frontdesk/contracts';
import type { Database, TenantReads } from '@frontdesk/database';
import { type App, ok, route } from '@frontdesk/service';
import type { TenantDirectory } from '@frontdesk/tenants';
import { countCallsByDay } from './call-count.repository.ts';
import { midnight } from './list-calls.ts';

/** How many calls there are, for those who run a business. `date`: the last day that counts, else the present one. */
export function statisticsRoutes(app: App, deps: { database: Database; tenants: TenantDirectory }): void {
  route(app, callsRoutes.getCallStatistics, async ({ tenantId, query }) => {
    const { timezone } = await deps.tenants.find(tenantId);
    const today = query.date ? Temporal.PlainDate.from(query.date) : Temporal.Now.plainDateISO(timezone);
    return ok(await callStatisticsOf(deps.database.forTenant(tenantId), { timezone, today }));
  });
}

const WEEK_DAYS = 7;
const NONE = { positive: 0, neutral: 0, negative: 0, unknown: 0 };

/** Calls of the weeks and days up to this one, by when they began on the business's clocks. */
async function callStatisticsOf(
  db: TenantReads,
  { timezone, today }: { timezone: string; today: Temporal.PlainDate },
): Promise<CallStatistics> {
  const monday = today.subtract({ days: today.dayOfWeek - 1, weeks: STATISTICS_CALL_WEEKS - 1 });
  const dates = Array.from({ length: monday.until(today).days + 1 }, (_, days) => monday.add({ days }));
  const midnights = [...dates, today.add({ days: 1 })].map((date) => midnight(date, timezone));
  const counts = await countCallsByDay(db, midnights);

  const days: CallStatistics['days'] = dates.map((date) => ({ date: date.toString(), calls: 0, missed: 0 }));
  const weeks = Array.from({ length: STATISTICS_CALL_WEEKS }, (_, weeks) => ({
    from: monday.add({ weeks }).toString(),
    ...NONE,
  }));
  for (const { day: nth, direction, is_missed, sentiment, calls } of counts) {
    const [day, week] = [days[nth - 1], weeks[Math.floor((nth - 1) / WEEK_DAYS)]];
    if (!day || !week) continue;
    day.calls += calls;
    if (is_missed) day.missed += calls;
    if (is_missed && direction === 'outbound') day.unanswered = (day.unanswered ?? 0) + calls;
    week[sentiment ?? 'unknown'] += calls;
  }
  return { timezone, days: days.slice(-STATISTICS_CALL_DAYS), weeks };
}
