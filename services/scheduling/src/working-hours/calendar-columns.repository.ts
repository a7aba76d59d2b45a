import { wallInterval } from '@frontdesk/local-time';
import { timeSlices } from '@frontdesk/service';
import type { Calendar, Span } from './calendar.rules.ts';
import { BUSINESS } from './calendar.rules.ts';
import { type Interval, joined } from './interval.rules.ts';
import type { SpanMinutes } from './weekly-hours.rules.ts';

/** The calendar of a resource, each list as JSON. */
export interface CalendarRow {
  resource_id: number;
  follows_business_hours: boolean;
  hours: [weekday: number, ...SpanMinutes][];
  dated_hours: [date: string, spans: SpanMinutes[]][];
  time_off: [start: string, end: string][];
}

/**
 * The columns of `CalendarRow` for one resource and the dates from `from` to `to` (SQL expressions); weekly hours only of
 * weekdays among these dates. Each resource has a row of its own, so that parsing a row never takes long.
 */
export const calendarColumns = (resource: string, from: string, to: string) => `
  ${resource} as resource_id,
  coalesce((
    select member.follows_business_hours from staff member where member.tenant_id = $tenantId and member.id = ${resource}
  ), false) as follows_business_hours,
  coalesce((
    select json_agg(json_build_array(hours.weekday, hours.start_minute, hours.end_minute) order by hours.weekday, hours.start_minute)
    from working_hours hours
    where hours.tenant_id = $tenantId and hours.resource_id = ${resource}
      and hours.weekday = any(array(
        select extract(isodow from ${from}::date + nth)::smallint from generate_series(0, least(${to}::date - ${from}::date, 6)) nth))
  ), '[]') as hours,
  coalesce((
    select json_agg(json_build_array(dated.date, dated.spans))
    from dated_hours dated
    where dated.tenant_id = $tenantId and dated.resource_id = ${resource} and dated.date between ${from}::date and ${to}::date
  ), '[]') as dated_hours,
  coalesce((
    select json_agg(json_build_array(greatest(away.starts_at, ${from}::date), least(away.ends_at, ${to}::date + 1)) order by away.starts_at)
    from time_off away
    where away.tenant_id = $tenantId and away.resource_id = ${resource}
      and away.ends_at > ${from}::date and away.starts_at < ${to}::date + 1
  ), '[]') as time_off`;

function weeklyOf({ hours }: CalendarRow): Map<number, Span[]> {
  const weekly = new Map<number, Span[]>();
  for (const [weekday, ...span] of hours) weekly.getOrInsertComputed(weekday, () => []).push(toSpan(span));
  return weekly;
}

const toSpan = ([startMinute, endMinute]: SpanMinutes): Span => ({ startMinute, endMinute });

/**
 * The calendars by resource id. Closures and shorter days of the business apply to everybody; its weekly hours, and its dates with
 * longer ones, only to those who follow them.
 */
export async function calendarsOf(
  rows: readonly CalendarRow[],
  timezone: string,
): Promise<Map<number, Calendar>> {
  const pause = timeSlices();
  const timeOffOf = (row: CalendarRow): Interval[] =>
    row.time_off.map(([start, end]) => wallInterval(start, end, timezone));
  const datedOf = (row: CalendarRow) =>
    new Map(row.dated_hours.map(([date, spans]) => [date, spans.map(toSpan)]));
  const business = rows.find(({ resource_id }) => resource_id === BUSINESS);
  const closures = business ? timeOffOf(business) : [];
  const limits = business ? datedOf(business) : new Map<string, Span[]>();
  const opening = business ? weeklyOf(business) : new Map<number, Span[]>();

  const calendars = new Map<number, Calendar>();
  for (const row of rows) {
    const isBusiness = row === business;
    const follows = isBusiness || row.follows_business_hours;
    calendars.set(row.resource_id, {
      weekly: follows ? opening : weeklyOf(row),
      exceptions: isBusiness ? limits : new Map([...(follows ? limits : []), ...datedOf(row)]),
      limits,
      timeOff: joined(isBusiness ? [...closures] : [...closures, ...timeOffOf(row)]),
    });
    await pause();
  }
  return calendars;
}
