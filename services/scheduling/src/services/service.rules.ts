import { type FieldFault, type Service, type ServiceAdmin, toDecimal } from '@frontdesk/contracts';

/** What a business says of a service. */
export interface ServiceFields {
  name: string;
  description: string | null;
  duration_minutes: number;
  price_minor: number;
  currency: string;
  buffer_before_minutes: number;
  buffer_after_minutes: number;
  is_active: boolean;
  /** What it stands under where a service is chosen. */
  category: string | null;
}

export interface ServiceRow extends ServiceFields {
  tenant_id: number;
  id: number;
  version: number;
  /** The row stays for its appointments. */
  deleted_at: Date | null;
}

export interface ServiceAdminRow extends Omit<ServiceRow, 'tenant_id' | 'deleted_at'> {
  coming_appointments: number;
}

export const serviceRecord = (row: ServiceRow): Service => ({
  id: row.id,
  name: row.name,
  description: row.description,
  duration_minutes: row.duration_minutes,
  price: toDecimal(row.price_minor, row.currency),
  currency: row.currency,
});

/** A service as its owner writes it down. */
export const serviceDocument = (row: ServiceFields) => ({
  name: row.name,
  description: row.description,
  duration_minutes: row.duration_minutes,
  price: toDecimal(row.price_minor, row.currency),
  buffer_before_minutes: row.buffer_before_minutes,
  buffer_after_minutes: row.buffer_after_minutes,
  is_active: row.is_active,
  category: row.category,
});

export const serviceAdminRecord = (row: ServiceAdminRow): ServiceAdmin => ({
  id: row.id,
  ...serviceDocument(row),
  currency: row.currency,
  coming_appointments: row.coming_appointments,
});

export const noAmount = (field: string, currency: string): FieldFault => ({
  text: `The ${field} field must be an amount of ${currency}.`,
  reason: 'not_amount',
  currency,
});
