import { EntitySchema } from 'typeorm';
import type { ServiceRow } from './service.rules.ts';

export const serviceEntity = new EntitySchema<ServiceRow>({
  name: 'service',
  tableName: 'services',
  columns: {
    tenant_id: { type: 'bigint', primary: true },
    id: { type: 'bigint', primary: true, generated: 'increment' },
    name: { type: 'text' },
    description: { type: 'text', nullable: true },
    duration_minutes: { type: 'int' },
    price_minor: { type: 'bigint' },
    currency: { type: 'text' },
    buffer_before_minutes: { type: 'int' },
    buffer_after_minutes: { type: 'int' },
    is_active: { type: 'boolean' },
    category: { type: 'text', nullable: true },
    version: { type: 'int', version: true },
    deleted_at: { type: 'timestamptz', deleteDate: true },
  },
});
