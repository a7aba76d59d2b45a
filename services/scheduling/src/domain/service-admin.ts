import { type ServiceAdmin, toDecimal } from '@frontdesk/contracts';

/** What a service consists of, as stored. */
export interface ServiceFields {
  name: string;
  description: string | null;
  duration_minutes: number;
  price_minor: number;
  currency: string;
  buffer_before_minutes: number;
  buffer_after_minutes: number;
  is_active: boolean;
}

export interface ServiceAdminRow extends ServiceFields {
  id: number;
  version: number;
  coming_appointments: number;
}

/** A service as its owner writes it down. */
export const serviceDocument = (row: ServiceFields) => ({
  name: row.name,
  description: row.description,
  duration_minutes: row.duration_minutes,
  price: toDecimal(row.price_minor, row.currency),
  buffer_before_minutes: row.buffer_before_minutes,
  buffer_after_minutes: row.buffer_after_minutes,
  is_active: row.is_active,
});

export const serviceAdminRecord = (row: ServiceAdminRow): ServiceAdmin => ({
  id: row.id,
  ...serviceDocument(row),
  currency: row.currency,
  coming_appointments: row.coming_appointments,
});

export const amountMessage = (field: string, currency: string) =>
  `The ${field} field must be an amount of ${currency}.`;
