/** Dates without a time (Y-m-d), which no zone moves, and durations as people read them. */

const format = (options: Intl.DateTimeFormatOptions) => {
  const dates = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
  return (date: string) => dates.format(new Date(date));
};

/** `Sat 21 Nov`. */
export const dayName = format({ weekday: 'short', day: 'numeric', month: 'short' });
/** `21 Nov`. */
export const shortDay = format({ day: 'numeric', month: 'short' });
/** `Saturday 21 November 2026`. */
export const longDay = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** `5 h 30 min`. */
export function hoursText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** `80 ms`, `1.2 s`, `3 min`. */
export function latencyText(ms: number): string {
  if (ms < 1_000) return `${Number(ms.toPrecision(2))} ms`;
  if (ms < 60_000) return `${Number((ms / 1_000).toPrecision(2))} s`;
  if (ms < 3_600_000) return `${Number((ms / 60_000).toPrecision(2))} min`;
  return `${Number((ms / 3_600_000).toPrecision(2))} h`;
}
