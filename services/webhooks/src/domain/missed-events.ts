/**
 * Longer than any statement or idle transaction of ours may last. Intake that began before an endpoint was paused may find it
 * paused, and intake that began before it was resumed may find it paused still: what is missing is looked for so much beyond
 * both ends of the pause.
 */
export const OVER_AFTER_SECONDS = 40;

/** Until when an event may have come in without a delivery to the endpoint, as it was not active yet. */
export const lastMissed = (resumedAt: Date): Date =>
  new Date(resumedAt.getTime() + OVER_AFTER_SECONDS * 1_000);
