const DAY_MS = 86_400_000;
/** Ids of events and deliveries begin with their day, counted from 1970-01-01 UTC: `day_id` in the migration. */
export const IDS_A_DAY = 10_000_000_000;

/** The lowest id that the day of this instant can have. */
export function firstIdOfDay(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS) * IDS_A_DAY;
}

/** The highest one. */
export function lastIdOfDay(at: Date): number {
  return firstIdOfDay(at) + IDS_A_DAY - 1;
}

/** The days of these ids as a whole: what is of an event lies in the event's own day. */
export function daysOf(ids: readonly number[]): [first: number, last: number] {
  const day = (id: number) => Math.floor(id / IDS_A_DAY) * IDS_A_DAY;
  return [day(Math.min(...ids)), day(Math.max(...ids)) + IDS_A_DAY - 1];
}
