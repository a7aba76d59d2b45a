import type { Calendar, Span } from '../domain/calendar.ts';
import type { Interval } from '../domain/interval.ts';
import { wallInterval } from '../domain/local-day.ts';
import { BUSINESS } from '../domain/slot.ts';
import type { SpanMinutes } from '../domain/weekly-hours.ts';

/** The calendars of some resources and of the business itself, each list as JSON. */
export interface CalendarRows {
  hours: [resourceId: number, weekday: number, ...SpanMinutes][];
  dated_hours: [resourceId: number, date: string, spans: SpanMinutes[]][];
  time_off: [resourceId: number, start: string, end: string][];
}

/**
 * The columns of `CalendarRows` for the business and the resources of a sub-select, over the dates `$from` to `$to`: of the weekly
 * hours only those of weekdays that are among them.
 */
export const calendarColumns = (resources: string, from: string, to: string) => `
  coalesce((
    select json_agg(
      json_build_array(hours.resource_id, hours.weekday, hours.start_minute, hours.end_minute)
      order by hours.weekday, hours.start_minute)
    from working_hours hours
    where hours.tenant_id = $1 and hours.resource_id in (select ${BUSINESS} union all ${resources})
      and hours.weekday = any(array(
        select extract(isodow from ${from}::date + nth)::smallint from generate_series(0, least(${to}::date - ${from}::date, 6)) nth))
  ), '[]') as hours,
  coalesce((
    select json_agg(json_build_array(dated.resource_id, dated.date, dated.spans))
    from dated_hours dated
    where dated.tenant_id = $1 and dated.resource_id in (select ${BUSINESS} union all ${resources})
      and dated.date between ${from}::date and ${to}::date
  ), '[]') as dated_hours,
  coalesce((
    select json_agg(json_build_array(away.resource_id, away.starts_at, away.ends_at) order by away.starts_at)
    from time_off away
    where away.tenant_id = $1 and away.resource_id in (select ${BUSINESS} union all ${resources})
      and away.ends_at > ${from}::date and away.starts_at < ${to}::date + 1
  ), '[]') as time_off`;

const toSpan = ([startMinute, endMinute]: SpanMinutes): Span => ({ startMinute, endMinute });

/** Each resource's calendar. The business closes or shortens everybody's days; its weekly hours are its own. */
export function calendarsOf(
  rows: CalendarRows,
  resourceIds: readonly number[],
  timezone: string,
): Map<number, Calendar> {
  const weeks = new Map<number, Map<number, Span[]>>();
  for (const [id, weekday, ...span] of rows.hours) {
    weeks
      .getOrInsertComputed(id, () => new Map<number, Span[]>())
      .getOrInsertComputed(weekday, () => [])
      .push(toSpan(span));
  }
  const exceptions = new Map<number, Map<string, Span[]>>();
  for (const [id, date, spans] of rows.dated_hours) {
    exceptions.getOrInsertComputed(id, () => new Map()).set(date, spans.map(toSpan));
  }
  const timeOff = new Map<number, Interval[]>();
  for (const [id, start, end] of rows.time_off)
    timeOff.getOrInsertComputed(id, () => []).push(wallInterval(start, end, timezone));
  const ofBusiness = timeOff.get(BUSINESS) ?? [];
  return new Map(
    resourceIds.map((id) => [
      id,
      {
        weekly: weeks.get(id) ?? new Map(),
        exceptions: exceptions.get(id) ?? new Map(),
        limits: exceptions.get(BUSINESS) ?? new Map(),
        timeOff: id === BUSINESS ? ofBusiness : [...ofBusiness, ...(timeOff.get(id) ?? [])],
      },
    ]),
  );
}
