import { type StaffListEntry, WEEKDAYS, type WorkingHours } from '@frontdesk/contracts';
import { localTime, timeOfMinute } from '@frontdesk/local-time';
import type { FreeStart } from './availability.ts';
import type { Calendar } from './calendar.ts';
import type { BookingSettings } from './settings.ts';
import type { Visit } from './start-windows.ts';
import { timeSpans } from './weekly-hours.ts';

export interface StaffMember {
  id: number;
  name: string;
  specialties: string[];
  version: number;
  settings: BookingSettings;
  calendar: Calendar;
  /** The shortest service they perform; null where they perform none. */
  shortestVisit: Visit | null;
}

/** A start as `next_available_slot` shows it. */
function nextAvailableSlot(start: FreeStart, timezone: string) {
  return {
    date: start.date,
    time: timeOfMinute(start.minute),
    starts_at: localTime(start.startsAt, timezone).iso,
  };
}

export function staffEntry(
  member: StaffMember,
  next: FreeStart | undefined,
  timezone: string,
): StaffListEntry {
  return {
    id: member.id,
    name: member.name,
    specialties: member.specialties,
    timezone,
    next_available_slot: next ? nextAvailableSlot(next, timezone) : null,
  };
}

/** The weekly hours as people write them; a day off is an empty list. */
export function workingHours({ weekly }: Calendar): WorkingHours {
  const days = WEEKDAYS.map((name, index) => {
    const spans = weekly.get(index + 1) ?? [];
    return [name, timeSpans(spans.map(({ startMinute, endMinute }) => [startMinute, endMinute]))];
  });
  return Object.fromEntries(days) as WorkingHours;
}
