import type { apiKeySchema } from '@frontdesk/contracts';
import { EntitySchema } from 'typeorm';
import type { z } from 'zod';

export interface ApiKeyRow {
  tenantId: number;
  id: number;
  name: string;
  /** SHA-256 of the key. The key itself is nowhere. */
  keyHash: Buffer;
  lastFour: string;
  isActive: boolean;
  lastUsedAt: Date | null;
  createdAt: Date;
}

export const apiKeyEntity = new EntitySchema<ApiKeyRow>({
  name: 'api_key',
  tableName: 'api_keys',
  columns: {
    tenantId: { name: 'tenant_id', type: 'bigint', primary: true },
    id: { type: 'bigint', primary: true, generated: 'increment' },
    name: { type: 'text' },
    keyHash: { name: 'key_hash', type: 'bytea', select: false },
    lastFour: { name: 'last_four', type: 'text' },
    isActive: { name: 'is_active', type: 'boolean', default: true },
    lastUsedAt: { name: 'last_used_at', type: 'timestamptz', nullable: true },
    createdAt: { name: 'created_at', type: 'timestamptz', createDate: true },
  },
});

/** A key as the internal API shows it. */
export const apiKeyRecord = (row: ApiKeyRow): z.infer<typeof apiKeySchema> => ({
  id: row.id,
  name: row.name,
  last_four: row.lastFour,
  is_active: row.isActive,
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
});
