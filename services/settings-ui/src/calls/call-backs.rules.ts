/** A caller who was missed longer ago than this expects no call any more. */
export const CALL_BACK_DAYS = 14;

/** Most that a page lists. */
export const SHOWN_CALL_BACKS = { days: CALL_BACK_DAYS, open: 50, done: 10 };
