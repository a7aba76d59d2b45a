import { EntitySchema } from 'typeorm';
import type { StaffRow } from './staff.rules.ts';

export const staffEntity = new EntitySchema<StaffRow>({
  name: 'staff',
  tableName: 'staff',
  columns: {
    tenant_id: { type: 'bigint', primary: true },
    id: { type: 'bigint', primary: true, generated: 'increment' },
    name: { type: 'text' },
    specialties: { type: 'text', array: true },
    is_active: { type: 'boolean' },
    follows_business_hours: { type: 'boolean' },
    color: { type: 'text', nullable: true },
    version: { type: 'int', version: true },
    deleted_at: { type: 'timestamptz', deleteDate: true },
  },
});
