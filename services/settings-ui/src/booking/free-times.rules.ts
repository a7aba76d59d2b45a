import type { Slot } from '@frontdesk/contracts';
import { minutesOf } from '../region/minutes.rules.ts';

/** The free times of a date. */
export interface FreeDay {
  date: string;
  slots: Slot[];
}

/** Days with free times, in order. */
export function freeDays(slots: readonly Slot[]): FreeDay[] {
  const byDate = Map.groupBy(slots, ({ date }) => date);
  return [...byDate].map(([date, own]) => ({ date, slots: own }));
}

/** Whether one of them begins then, on the day that they are of. */
export const hasStart = (slots: readonly Slot[], time: string): boolean =>
  slots.some((slot) => slot.time === time);

/** Those that are nearest to a time of their day, in order of time. */
export function nearestSlots(slots: readonly Slot[], time: string, count: number): Slot[] {
  const distance = (slot: Slot) => Math.abs(minutesOf(slot.time) - minutesOf(time));
  return slots
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, count)
    .toSorted((a, b) => a.time.localeCompare(b.time));
}
