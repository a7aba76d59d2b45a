/**
 * The wait that `Retry-After` asks for, in seconds or until a date; null without a readable one. The date counts from the answer's own,
 * whatever the clock here says.
 */
export function retryAfterMsOf(headers: Headers): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const ms = dateOf(value) - (dateOf(headers.get('date') ?? '') || Date.now());
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** An HTTP date in milliseconds. `Date.parse` alone would take a number for a year. */
const dateOf = (text: string): number => (text.endsWith(' GMT') ? Date.parse(text) : Number.NaN);
