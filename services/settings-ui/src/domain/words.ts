/** Numbers, amounts and lengths of time as people read them. */

const counts = new Intl.NumberFormat('en-GB');
const compact = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 });

export const countText = (value: number): string => counts.format(value);
/** `1.2k`. */
export const shortCount = (value: number): string => compact.format(value);

/** `1 delivery`, `2 deliveries`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${countText(count)} ${count === 1 ? one : many}`;

export const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** `5 h 30 min`. */
export function durationText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** `45 s`, `2 min 5 s`, `1 h 2 min`. */
export function secondsText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds} s`;
  const rest = seconds % 60;
  return minutes >= 60 || rest === 0 ? durationText(minutes) : `${minutes} min ${rest} s`;
}

/** `80 ms`, `1.2 s`, `3 min`. */
export function latencyText(ms: number): string {
  if (ms < 1_000) return `${Number(ms.toPrecision(2))} ms`;
  if (ms < 60_000) return `${Number((ms / 1_000).toPrecision(2))} s`;
  if (ms < 3_600_000) return `${Number((ms / 60_000).toPrecision(2))} min`;
  return `${Number((ms / 3_600_000).toPrecision(2))} h`;
}

export const moneyText = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(amount);
