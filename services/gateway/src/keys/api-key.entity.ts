import { EntitySchema } from 'typeorm';
import type { ApiKeyRow } from './api-key.rules.ts';

export const apiKeyEntity = new EntitySchema<ApiKeyRow>({
  name: 'api_key',
  tableName: 'api_keys',
  columns: {
    tenant_id: { type: 'bigint', primary: true },
    id: { type: 'bigint', primary: true, generated: 'increment' },
    name: { type: 'text' },
    key_hash: { type: 'bytea', select: false },
    last_four: { type: 'text' },
    is_active: { type: 'boolean', default: true },
    scopes: { type: 'text', array: true },
    expires_at: { type: 'timestamptz', nullable: true },
    networks: { type: 'text', array: true, nullable: true },
    rolled_to: { type: 'bigint', nullable: true },
    version: { type: 'int', version: true },
    last_used_at: { type: 'timestamptz', nullable: true },
    created_at: { type: 'timestamptz', createDate: true },
  },
});
