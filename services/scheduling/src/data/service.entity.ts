import type { Service } from '@frontdesk/contracts';
import { toDecimal } from '@frontdesk/contracts';
import { EntitySchema } from 'typeorm';

export interface ServiceRow {
  tenantId: number;
  id: number;
  name: string;
  description: string | null;
  durationMinutes: number;
  priceMinor: number;
  currency: string;
  isActive: boolean;
  version: number;
}

export const ServiceEntity = new EntitySchema<ServiceRow>({
  name: 'service',
  tableName: 'services',
  columns: {
    tenantId: { name: 'tenant_id', type: 'bigint', primary: true },
    id: { type: 'bigint', primary: true },
    name: { type: 'text' },
    description: { type: 'text', nullable: true },
    durationMinutes: { name: 'duration_minutes', type: 'integer' },
    priceMinor: { name: 'price_minor', type: 'bigint' },
    currency: { type: 'text' },
    isActive: { name: 'is_active', type: 'boolean' },
    version: { type: 'integer' },
  },
});

export function serviceRecord(row: ServiceRow): Service {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    duration_minutes: row.durationMinutes,
    price: toDecimal(row.priceMinor, row.currency),
    currency: row.currency,
  };
}
