import type { Day } from '@frontdesk/contracts';
import type { TenantReads } from '@frontdesk/database';
import { localDay, localTime, MINUTE_MS } from '@frontdesk/local-time';
import { etagOfContent } from '@frontdesk/service';
import { type DayAppointmentRow, dayAppointmentRecord } from '../appointments/appointment.rules.ts';
import { listHoldsTouching } from '../holds/hold.repository.ts';
import { type DayHoldRow, dayHoldRecord } from '../holds/hold.rules.ts';
import { BUSINESS, workingTime } from '../working-hours/calendar.rules.ts';
import { dayOf, stretchesWithin } from '../working-hours/day.rules.ts';
import type { Interval } from '../working-hours/interval.rules.ts';
import { findResourcesOfDays } from './day.repository.ts';
import { findDaysVersion, listAppointmentsTouching } from './day-appointment.repository.ts';

export type Dates = readonly [string, ...string[]];

/** One date of a business: who works when, and what is booked. */
export async function showDay(db: TenantReads, date: string, timezone: string): Promise<Day> {
  return dayRecord(await readDays(db, [date], timezone), date);
}

/** The same of consecutive dates. */
export async function showDays(db: TenantReads, dates: Dates, timezone: string): Promise<Day[]> {
  const read = await readDays(db, dates, timezone);
  return dates.map((date) => dayRecord(read, date));
}

/** Raise it with every change of what a day has: a page that is followed through an upgrade is told. */
const SHAPE = 3;

/** An ETag of consecutive dates, which one small query makes. Read it before the days: what changes in between is then seen once more. */
export async function etagOfDays(db: TenantReads, dates: Dates, timezone: string): Promise<string> {
  return etagOfContent([SHAPE, dates, timezone, await findDaysVersion(db, stretchOf(dates, timezone))]);
}

const stretchOf = (dates: Dates, timezone: string): Interval => ({
  start: dayOf(dates[0], timezone).start,
  end: dayOf(dates.at(-1) ?? dates[0], timezone).end,
});

type ReadDays = Awaited<ReturnType<typeof readDays>>;

/** Three queries, however many dates, staff and appointments. */
async function readDays(db: TenantReads, dates: Dates, timezone: string) {
  const [from, to] = [dates[0], dates.at(-1) ?? dates[0]];
  const stretch = stretchOf(dates, timezone);
  const [rows, holds] = await Promise.all([
    listAppointmentsTouching(db, stretch),
    listHoldsTouching(db, stretch),
  ]);
  const others = [...new Set([...rows, ...holds].map(({ resource_id }) => resource_id))];
  return { timezone, rows, holds, ...(await findResourcesOfDays(db, { from, to, timezone, others })) };
}

function dayRecord({ timezone, rows, holds, resources, slotStepMinutes }: ReadDays, date: string): Day {
  const day = dayOf(date, timezone);
  const booked = Map.groupBy(
    rows.filter((row) => touches(row, day)),
    ({ resource_id }) => resource_id,
  );
  const held = Map.groupBy(
    holds.filter((row) => touches(row, day)),
    ({ resource_id }) => resource_id,
  );
  const within = <Stretch extends Interval>(stretches: readonly Stretch[]) =>
    stretchesWithin(stretches, day, timezone);
  return {
    date,
    timezone,
    starts_at: localTime(day.start, timezone).iso,
    ends_at: localTime(day.end, timezone).iso,
    slot_step_minutes: slotStepMinutes,
    columns: resources
      .filter(({ id, is_active }) => is_active || booked.has(id) || held.has(id))
      .map(({ id, name, color, picture_version, is_active, calendar, time_off, exceptionOn }) => ({
        staff_id: id === BUSINESS ? null : id,
        name,
        color,
        picture_version,
        is_active,
        open: is_active ? within(workingTime(calendar, [localDay(date, timezone)])) : [],
        time_off: within(time_off),
        exception: exceptionOn(date),
        appointments: (booked.get(id) ?? []).map(dayAppointmentRecord),
        holds: (held.get(id) ?? []).map((row) => dayHoldRecord(row, timezone)),
      })),
  };
}

/** With its time or its buffers. */
const touches = (row: DayAppointmentRow | DayHoldRow, { start, end }: Interval): boolean =>
  start < end &&
  row.starts_at.getTime() - row.buffer_before_minutes * MINUTE_MS < end &&
  row.ends_at.getTime() + row.buffer_after_minutes * MINUTE_MS > start;
