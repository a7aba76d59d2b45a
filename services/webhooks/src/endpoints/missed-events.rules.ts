/**
 * How far beyond both ends of a pause missed events are looked for; no transaction of ours lasts longer. An event
 * that was being taken in when the endpoint was paused may have found it paused already, and one that was being taken
 * in when it was resumed may have found it paused still.
 */
export const OVER_AFTER_SECONDS = 40;

/** Until when an event may have come in without a delivery to the endpoint, as it was not active yet. */
export const lastMissed = (resumedAt: Date): Date =>
  new Date(resumedAt.getTime() + OVER_AFTER_SECONDS * 1_000);
