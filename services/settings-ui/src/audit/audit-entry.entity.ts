import { EntitySchema } from 'typeorm';
import type { AuditEntryRow } from './audit.rules.ts';

export const auditEntryEntity = new EntitySchema<AuditEntryRow>({
  name: 'audit_entry',
  tableName: 'audit_log',
  columns: {
    tenant_id: { type: 'bigint', primary: true },
    id: { type: 'bigint', primary: true, generated: 'increment' },
    at: { type: 'timestamptz', createDate: true },
    actor: { type: 'text' },
    address: { type: 'text', nullable: true },
    action: { type: 'text' },
    subject: { type: 'text' },
    outcome: { type: 'text', default: 'started' },
    count: { type: 'int', default: 1 },
    last_at: { type: 'timestamptz', nullable: true },
    account_id: { type: 'bigint', nullable: true },
    membership_id: { type: 'bigint', nullable: true },
  },
});
