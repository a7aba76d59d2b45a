import {
  type BookingSettingsRecord,
  type StaffAdmin,
  type StaffColor,
  type StaffListEntry,
  WEEKDAYS,
  type WorkingHours,
} from '@frontdesk/contracts';
import { localTime, timeOfMinute } from '@frontdesk/local-time';
import type { FreeStart } from '../availability/availability.rules.ts';
import type { Visit } from '../availability/buffers.rules.ts';
import type { Calendar } from '../working-hours/calendar.rules.ts';
import { timeSpans } from '../working-hours/weekly-hours.rules.ts';

/** What a business says of a staff member. */
export interface StaffFields {
  name: string;
  specialties: string[];
  is_active: boolean;
  /** Then they have no weekly hours of their own. */
  follows_business_hours: boolean;
  /** Of their appointments in calendars; null: the pages choose one. */
  color: StaffColor | null;
}

export interface StaffRow extends StaffFields {
  tenant_id: number;
  id: number;
  version: number;
  /** The row stays for their appointments. */
  deleted_at: Date | null;
}

export interface PerformerRow extends Omit<StaffRow, 'tenant_id' | 'deleted_at'> {
  /** In order; services that are deleted are not among them. */
  service_ids: number[];
}

export interface StaffAdminRow extends PerformerRow {
  coming_appointments: number;
  picture_version: number | null;
}

export const staffAdminRecord = (row: StaffAdminRow): StaffAdmin => ({
  id: row.id,
  name: row.name,
  specialties: row.specialties,
  service_ids: row.service_ids,
  is_active: row.is_active,
  follows_business_hours: row.follows_business_hours,
  coming_appointments: row.coming_appointments,
  color: row.color,
  picture_version: row.picture_version,
});

/** An active staff member, with what their next free start follows from. */
export interface StaffMember {
  id: number;
  name: string;
  specialties: string[];
  settings: BookingSettingsRecord;
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

export function staffRecord(
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
