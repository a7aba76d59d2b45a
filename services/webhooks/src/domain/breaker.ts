/** An endpoint that failed so often on end is left alone for a while: its deliveries wait, without spending an attempt. */
export const FAILURES_TO_OPEN = 20;
/** How long at first; each failed try after it doubles that. */
export const FIRST_OPEN_SECONDS = 2;
export const MAX_OPEN_SECONDS = 60;
