import { type Day, type DayAppointment, type DayColumn, type DayHold, takesSlot } from '@frontdesk/contracts';
import { holdsOf, type Stretch, stretchOf } from './day-plot.rules.ts';

/** Where a booking may begin. */
export interface GridStart {
  at: number;
  /** H:i, as it is booked. */
  time: string;
}

/** A part of the time that somebody has free, from where a booking may begin. */
export interface FreeTime extends Stretch {
  time: string;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** A finer grid than this can't be pointed at. */
const FINEST_MINUTES = 5;
/** As short as something to press may be, unless what is free is shorter. */
const PRESSED_MINUTES = 30;

/** The shortest multiple of the step that lasts so long. */
const multipleOf = (step: number, minutes: number) => step * Math.ceil(minutes / step);

/** Starts of bookings within the range: steps from midnight on by the day's clocks, as far as these show them. */
export function bookingGrid(day: Day, range: Stretch): GridStart[] {
  const step = multipleOf(day.slot_step_minutes, FINEST_MINUTES);
  const midnight = Temporal.PlainDate.from(day.date).toPlainDateTime();
  const starts = Array.from({ length: Math.ceil(DAY_MINUTES / step) }, (_, nth) => {
    const wall = midnight.add({ minutes: nth * step });
    const zoned = wall.toZonedDateTime(day.timezone, { disambiguation: 'earlier' });
    const time = wall.toPlainTime().toString({ smallestUnit: 'minute' });
    return { at: zoned.epochMilliseconds, time, isShown: zoned.toPlainDateTime().equals(wall) };
  });
  return starts
    .filter(({ at, isShown }) => isShown && range.start <= at && at < range.end)
    .map(({ at, time }) => ({ at, time }));
}

/** What somebody has free from now on. */
export function freeStretches(
  column: Pick<DayColumn, 'open' | 'appointments' | 'holds'>,
  now: number,
): Stretch[] {
  const past = { start: Number.NEGATIVE_INFINITY, end: now };
  const taken = [...column.appointments.filter(takesTime), ...holdsOf(column)].map(occupied);
  return without(column.open.map(stretchOf), [past, ...taken]);
}

/** The same, cut into what can be pressed. */
export function freeTimes(
  column: Pick<DayColumn, 'open' | 'appointments' | 'holds'>,
  grid: readonly GridStart[],
  { now, stepMinutes }: { now: number; stepMinutes: number },
): FreeTime[] {
  const pieceMs = multipleOf(multipleOf(stepMinutes, FINEST_MINUTES), PRESSED_MINUTES) * MINUTE_MS;
  return freeStretches(column, now).flatMap((free) => {
    const starts: GridStart[] = [];
    for (const start of grid) {
      if (start.at < free.start || start.at >= free.end) continue;
      const last = starts.at(-1);
      const isFarEnough = last === undefined || start.at - last.at >= pieceMs;
      if (isFarEnough && (last === undefined || free.end - start.at >= pieceMs)) starts.push(start);
    }
    return starts.map(({ at, time }, index) => ({ start: at, end: starts[index + 1]?.at ?? free.end, time }));
  });
}

/** Whether somebody still works on the day. */
export const hasAhead = ({ ends_at }: Day, { open }: Pick<DayColumn, 'open'>, now: number): boolean =>
  open.length > 0 && now < Date.parse(ends_at);

/** Whether somebody doesn't work so long from a time (H:i) on; without anybody in particular, whether nobody does. */
export function isOutsideHours(
  day: Day,
  staffId: number | undefined,
  time: string,
  minutes: number,
): boolean {
  const wall = Temporal.PlainDate.from(day.date).toPlainDateTime(Temporal.PlainTime.from(time));
  const start = wall.toZonedDateTime(day.timezone, { disambiguation: 'earlier' }).epochMilliseconds;
  const end = start + minutes * MINUTE_MS;
  return !day.columns
    .filter(({ is_active, staff_id }) => is_active && (staffId === undefined || staff_id === staffId))
    .flatMap(({ open }) => open.map(stretchOf))
    .some((stretch) => stretch.start <= start && end <= stretch.end);
}

/** Nobody else can have its time. */
export const takesTime = ({ status }: DayAppointment) => takesSlot(status);

/** With its buffers. */
export function occupied(taken: DayAppointment | DayHold): Stretch {
  const { start, end } = stretchOf(taken);
  return {
    start: start - taken.buffer_before_minutes * MINUTE_MS,
    end: end + taken.buffer_after_minutes * MINUTE_MS,
  };
}

const without = (stretches: readonly Stretch[], taken: readonly Stretch[]): Stretch[] =>
  taken.reduce<readonly Stretch[]>(
    (rest, gap) =>
      rest.flatMap(({ start, end }) =>
        [
          { start, end: Math.min(end, gap.start) },
          { start: Math.max(start, gap.end), end },
        ].filter((part) => part.start < part.end),
      ),
    stretches,
  ) as Stretch[];
