import { EntitySchema } from 'typeorm';
import type { CallSourceRow } from './call-source.rules.ts';

export const callSourceEntity = new EntitySchema<CallSourceRow>({
  name: 'call_source',
  tableName: 'call_sources',
  columns: {
    tenant_id: { type: 'bigint', primary: true },
    id: { type: 'bigint', primary: true, generated: 'increment' },
    token: { type: 'text' },
    provider: { type: 'text' },
    name: { type: 'text' },
    sealed_secret: { type: 'text' },
    secret_last_four: { type: 'text' },
    settings: { type: 'jsonb' },
    is_active: { type: 'boolean', default: true },
    last_message_at: { type: 'timestamptz', nullable: true },
    last_test_at: { type: 'timestamptz', nullable: true },
    version: { type: 'bigint', version: true },
    created_at: { type: 'timestamptz', createDate: true },
    updated_at: { type: 'timestamptz', updateDate: true },
    deleted_at: { type: 'timestamptz', deleteDate: true },
  },
});
