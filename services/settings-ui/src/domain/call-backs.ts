import type { ListCallsAdmin } from '@frontdesk/contracts';

/** A caller who was missed longer ago than this expects no call any more. */
export const CALL_BACK_DAYS = 14;

/** Most that a page lists. */
export const SHOWN_OPEN = 50;
export const SHOWN_DONE = 10;

const DAY_MS = 86_400_000;

/** The query of missed calls that may still be called back, or that were. */
export const callBackQuery = (
  call_back: NonNullable<ListCallsAdmin['call_back']>,
  { now, count }: { now: number; count: number },
): Record<string, string> => ({
  call_back,
  from_date: new Date(now - CALL_BACK_DAYS * DAY_MS).toISOString(),
  per_page: String(count),
});
