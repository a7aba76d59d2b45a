import type { Day, DayAppointment, DayColumn, DayHold, DayTimeOff } from '@frontdesk/contracts';

/** How tall an hour is drawn, in pixels; a quarter holds one line of text. */
export const HOUR_PIXELS = 76;
const HOUR_MS = 3_600_000;
/** Between the readings of two clocks that strike the hour lies a multiple of this, in every zone. */
const STEP_MS = 900_000;

/** In epoch ms. */
export interface Stretch {
  start: number;
  end: number;
}

export interface HourMark {
  at: number;
  /** 24 for the midnight that closes the day. */
  hour: number;
  /** H:i; with its offset where the clocks show the hour twice. */
  label: string;
}

export const stretchOf = ({ starts_at, ends_at }: { starts_at: string; ends_at: string }): Stretch => ({
  start: Date.parse(starts_at),
  end: Date.parse(ends_at),
});

/** Every full hour of the day as its clocks show it, the closing midnight last. */
export function hourMarks(day: Pick<Day, 'starts_at' | 'ends_at' | 'timezone'>): HourMark[] {
  const { start, end } = stretchOf(day);
  const marks: HourMark[] = [];
  for (let at = start; at < end; at += STEP_MS) {
    const { minute, hour, offset } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(
      day.timezone,
    );
    if (minute !== 0) continue;
    const label = `${String(hour).padStart(2, '0')}:00`;
    marks.push({ at, hour, label: marks.at(-1)?.label === label ? `${label} ${offset}` : label });
  }
  return [...marks, { at: end, hour: 24, label: '24:00' }];
}

/** Those that are drawn. */
export const hourMarksWithin = (day: Day, range: Stretch): HourMark[] =>
  hourMarks(day).filter(({ at }) => range.start <= at && at <= range.end);

/** Appointments of the column that lie on the day itself; cancelled ones where they are asked for. */
export function appointmentsOn(day: Day, column: DayColumn, showsCancelled: boolean): DayAppointment[] {
  const { start, end } = stretchOf(day);
  return column.appointments.filter((appointment) => {
    const { start: from, end: until } = stretchOf(appointment);
    return (showsCancelled || appointment.status !== 'cancelled') && from < end && start < until;
  });
}

/** What of the column is held, by start. Earlier releases of scheduling don't say. */
export const holdsOf = ({ holds }: Pick<DayColumn, 'holds'>): readonly DayHold[] => holds ?? [];

/** Time off that leaves some of the day before and after it. */
function timeOffWithin(day: Day, { time_off }: DayColumn): DayTimeOff[] {
  const whole = stretchOf(day);
  return time_off.filter((stretch) => {
    const { start, end } = stretchOf(stretch);
    return whole.start < start && end < whole.end;
  });
}

/** What is drawn of somebody's day although others may have nothing on it. */
const drawnOf = (day: Day, column: DayColumn, showsCancelled: boolean) => [
  ...column.open,
  ...appointmentsOn(day, column, showsCancelled),
  ...holdsOf(column),
  // Closures of the business are everybody's.
  ...timeOffWithin(day, column).filter(
    ({ entry }) => entry && (!entry.is_of_business || column.staff_id === null),
  ),
];

/** Whether somebody works on the day, has appointments or held times, or has taken off a part of it. */
export const isPresent = (day: Day, column: DayColumn, showsCancelled: boolean): boolean =>
  drawnOf(day, column, showsCancelled).length > 0;

/**
 * The part of the day that is drawn, in full hours: all work, all appointments, all that is held, and what is taken off
 * between other hours; null where there is none of it.
 */
export function drawnRange(day: Day, showsCancelled: boolean): Stretch | null {
  const whole = stretchOf(day);
  const drawn = day.columns.flatMap((column) => drawnOf(day, column, showsCancelled));
  if (drawn.length === 0) return null;
  const timeOff = day.columns.flatMap((column) => timeOffWithin(day, column));
  const all = [...drawn, ...timeOff].map(stretchOf);
  const first = Math.max(whole.start, Math.min(...all.map(({ start }) => start)));
  const last = Math.min(whole.end, Math.max(...all.map(({ end }) => end)));
  const marks = hourMarks(day).map(({ at }) => at);
  return {
    start: marks.findLast((at) => at <= first) ?? whole.start,
    end: marks.find((at) => at >= last) ?? whole.end,
  };
}

/**
 * The hours that several days are drawn from and to, the same for each: all of their ranges; null where there is none.
 */
export function drawnHours(
  days: readonly Day[],
  showsCancelled: boolean,
): [first: number, last: number] | null {
  const hours = days.flatMap((day) => {
    const range = drawnRange(day, showsCancelled);
    return hourMarks(day)
      .filter(({ at }) => at === range?.start || at === range?.end)
      .map(({ hour }) => hour);
  });
  return hours.length === 0 ? null : [Math.min(...hours), Math.max(...hours)];
}

/** These hours of a day, by its clocks. */
export function rangeOfHours(day: Day, [first, last]: [first: number, last: number]): Stretch {
  const marks = hourMarks(day);
  const from = (hour: number) => marks.find((mark) => mark.hour >= hour)?.at ?? stretchOf(day).end;
  return { start: from(first), end: from(last) };
}

/** What of a stretch is seen within the range, in pixels from its top; null where nothing is. */
export function placeOf(stretch: Stretch, range: Stretch): { top: number; height: number } | null {
  const [start, end] = [Math.max(stretch.start, range.start), Math.min(stretch.end, range.end)];
  return start < end ? { top: pixels(start - range.start), height: pixels(end - start) } : null;
}

export const pixels = (ms: number): number => Math.round((ms / HOUR_MS) * HOUR_PIXELS * 10) / 10;

/** Between two stretches of work, and not time off. */
export function breaksOf({ open, time_off }: Pick<DayColumn, 'open' | 'time_off'>): Stretch[] {
  const [worked, away] = [open.map(stretchOf), time_off.map(stretchOf)];
  return worked
    .slice(1)
    .map(({ start }, index) => ({ start: worked[index]?.end ?? start, end: start }))
    .filter((gap) => !away.some(({ start, end }) => start < gap.end && gap.start < end));
}

/**
 * Beside each other where they overlap: which lane each takes, of how many. What is booked never does; what
 * was cancelled may.
 */
export function lanesOf<Placed extends Stretch>(
  stretches: readonly Placed[],
): { stretch: Placed; lane: number; lanes: number }[] {
  const groups: { stretch: Placed; lane: number }[][] = [];
  let groupEnd = Number.NEGATIVE_INFINITY;
  /** Of the last one in each lane of the group. */
  let ends: number[] = [];
  for (const stretch of stretches.toSorted((a, b) => a.start - b.start)) {
    if (stretch.start >= groupEnd) {
      groups.push([]);
      ends = [];
    }
    const free = ends.findIndex((end) => end <= stretch.start);
    const lane = free === -1 ? ends.length : free;
    ends[lane] = stretch.end;
    groups.at(-1)?.push({ stretch, lane });
    groupEnd = Math.max(groupEnd, stretch.end);
  }
  return groups.flatMap((group) => {
    const lanes = Math.max(...group.map(({ lane }) => lane)) + 1;
    return group.map((placed) => ({ ...placed, lanes }));
  });
}

export const hoursOf = (day: Pick<Day, 'starts_at' | 'ends_at'>): number => {
  const { start, end } = stretchOf(day);
  return (end - start) / HOUR_MS;
};
