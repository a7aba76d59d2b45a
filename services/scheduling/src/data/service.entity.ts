import type { Service } from '@frontdesk/contracts';
import { toDecimal } from '@frontdesk/contracts';
import { EntitySchema } from 'typeorm';

export interface ServiceRow {
  tenant_id: number;
  id: number;
  name: string;
  description: string | null;
  duration_minutes: number;
  price_minor: number;
  currency: string;
  is_active: boolean;
  version: number;
}

export const serviceEntity = new EntitySchema<ServiceRow>({
  name: 'service',
  tableName: 'services',
  columns: {
    tenant_id: { type: 'bigint', primary: true },
    id: { type: 'bigint', primary: true },
    name: { type: 'text' },
    description: { type: 'text', nullable: true },
    duration_minutes: { type: 'integer' },
    price_minor: { type: 'bigint' },
    currency: { type: 'text' },
    is_active: { type: 'boolean' },
    version: { type: 'integer' },
  },
});

export function serviceRecord(row: ServiceRow): Service {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    duration_minutes: row.duration_minutes,
    price: toDecimal(row.price_minor, row.currency),
    currency: row.currency,
  };
}
