import type { StaffAdmin } from '@frontdesk/contracts';

/** What a staff member consists of, as stored. */
export interface StaffFields {
  name: string;
  specialties: string[];
  is_active: boolean;
  /** Then they have no weekly hours of their own. */
  follows_business_hours: boolean;
}

export interface StaffAdminRow extends StaffFields {
  id: number;
  version: number;
  /** In order; services that are deleted are not among them. */
  service_ids: number[];
  coming_appointments: number;
}

export const staffAdminRecord = (row: StaffAdminRow): StaffAdmin => ({
  id: row.id,
  name: row.name,
  specialties: row.specialties,
  service_ids: row.service_ids,
  is_active: row.is_active,
  follows_business_hours: row.follows_business_hours,
  coming_appointments: row.coming_appointments,
});
