import type { ApiKey, Tenant } from '@frontdesk/contracts';

export interface ApiKeyRow {
  tenant_id: number;
  id: number;
  name: string;
  /** SHA-256 of the key. The key itself is nowhere. */
  key_hash: Buffer;
  last_four: string;
  is_active: boolean;
  last_used_at: Date | null;
  created_at: Date;
}

/** A key as the internal API shows it. */
export const apiKeyRecord = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  last_four: row.last_four,
  is_active: row.is_active,
  last_used_at: row.last_used_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
});

/** What an API key lets its client do: act for a tenant, on a plan. */
export interface KeyAccess {
  tenantId: number;
  keyId: number;
  plan: Tenant['plan'];
  status: Tenant['status'];
}
