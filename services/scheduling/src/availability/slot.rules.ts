import type { Slot } from '@frontdesk/contracts';
import { localTime, MINUTE_MS, timeOfMinute } from '@frontdesk/local-time';
import { BUSINESS } from '../working-hours/calendar.rules.ts';
import type { FreeStart } from './availability.rules.ts';

/** A free start as slots and alternatives show it. */
export function slotRecord(start: FreeStart, durationMinutes: number, timezone: string): Slot {
  const end = localTime(start.startsAt + durationMinutes * MINUTE_MS, timezone);
  const staffIds = start.resourceIds.filter((id) => id !== BUSINESS);
  return {
    date: start.date,
    time: timeOfMinute(start.minute),
    end_time: end.time,
    starts_at: localTime(start.startsAt, timezone).iso,
    ends_at: end.iso,
    staff_id: staffIds[0] ?? null,
    staff_ids: staffIds,
  };
}

/** The `count` starts nearest to an instant, the earlier first where two are as near, in order of time. */
export function nearestStarts(starts: Iterable<FreeStart>, instant: number, count: number): FreeStart[] {
  const distance = (start: FreeStart) => Math.abs(start.startsAt - instant);
  return [...starts]
    .sort((a, b) => distance(a) - distance(b) || a.startsAt - b.startsAt)
    .slice(0, count)
    .sort((a, b) => a.startsAt - b.startsAt);
}
