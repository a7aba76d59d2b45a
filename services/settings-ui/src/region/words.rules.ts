import type { Region } from './region.rules.ts';
import { formatsOf, moneyFormat } from './region-formats.rules.ts';

/** Numbers, amounts and lengths of time as people read them. */

type Country = Pick<Region, 'country'>;

const compact = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 });

export const countText = (region: Country, value: number): string => formatsOf(region).numbers.format(value);

/** `1.2K`; the letter is English, the mark the country's. */
export const shortCount = (region: Country, value: number): string =>
  compact
    .formatToParts(value)
    .map((part) => (part.type === 'decimal' ? formatsOf(region).decimalMark : part.value))
    .join('');

/** `1 delivery`, `2 deliveries`. */
export const plural = (region: Country, count: number, one: string, many = `${one}s`): string =>
  `${countText(region, count)} ${count === 1 ? one : many}`;

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
export function latencyText(region: Country, ms: number): string {
  const rounded = (value: number) => countText(region, Number(value.toPrecision(2)));
  if (ms < 1_000) return `${rounded(ms)} ms`;
  if (ms < 60_000) return `${rounded(ms / 1_000)} s`;
  if (ms < 3_600_000) return `${rounded(ms / 60_000)} min`;
  return `${rounded(ms / 3_600_000)} h`;
}

export const moneyText = (region: Country, amount: number, currency: string): string =>
  moneyFormat(region, currency).format(amount);
