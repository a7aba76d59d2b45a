export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;
/** Of a wall clock; a day of a clock change is longer or shorter. */
export const DAY_MINUTES = 1_440;
