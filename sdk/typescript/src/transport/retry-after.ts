/** The wait that `Retry-After` asks for, in seconds or until a date; null without a readable one. */
export function retryAfterMsOf(headers: Headers, nowMs = Date.now()): number | null {
  const value = headers.get('retry-after')?.trim();
  if (!value) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - nowMs;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
