import { type CallStatistics, STATISTICS_CALL_DAYS, STATISTICS_CALL_WEEKS } from '@frontdesk/contracts';
import type { TenantReads } from '@frontdesk/database';
import { countCallsByDay } from '../data/call-statistics.repository.ts';
import { midnight } from './list-calls.ts';

const WEEK_DAYS = 7;
const NONE = { positive: 0, neutral: 0, negative: 0, unknown: 0 };

/** Calls of the weeks and days up to this one, by when they began on the business's clocks. */
export async function callStatisticsOf(
  db: TenantReads,
  { timezone, today }: { timezone: string; today: Temporal.PlainDate },
): Promise<CallStatistics> {
  const monday = today.subtract({ days: today.dayOfWeek - 1, weeks: STATISTICS_CALL_WEEKS - 1 });
  const dates = Array.from({ length: monday.until(today).days + 1 }, (_, days) => monday.add({ days }));
  const midnights = [...dates, today.add({ days: 1 })].map((date) => midnight(date, timezone));
  const counts = await countCallsByDay(db, midnights);

  const days = dates.map((date) => ({ date: date.toString(), calls: 0, missed: 0 }));
  const weeks = Array.from({ length: STATISTICS_CALL_WEEKS }, (_, weeks) => ({
    from: monday.add({ weeks }).toString(),
    ...NONE,
  }));
  for (const { day: nth, is_missed, sentiment, calls } of counts) {
    const [day, week] = [days[nth - 1], weeks[Math.floor((nth - 1) / WEEK_DAYS)]];
    if (!day || !week) continue;
    day.calls += calls;
    if (is_missed) day.missed += calls;
    week[sentiment ?? 'unknown'] += calls;
  }
  return { timezone, days: days.slice(-STATISTICS_CALL_DAYS), weeks };
}
