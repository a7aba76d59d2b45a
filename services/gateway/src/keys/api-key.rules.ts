import type { ApiKey, KeyScope, Tenant } from '@frontdesk/contracts';

export interface ApiKeyRow {
  tenant_id: number;
  id: number;
  name: string;
  /** SHA-256 of the key. The key itself is nowhere. */
  key_hash: Buffer;
  last_four: string;
  is_active: boolean;
  scopes: KeyScope[];
  expires_at: Date | null;
  /** Addresses, and networks as CIDR; null: from everywhere. */
  networks: string[] | null;
  /** The key that works in its place. */
  rolled_to: number | null;
  /** Grows with each change, but not with use. */
  version: number;
  last_used_at: Date | null;
  created_at: Date;
}

export type ShownKey = Omit<ApiKeyRow, 'key_hash'>;

/** A key as the internal API shows it. */
export const apiKeyRecord = (row: ShownKey): ApiKey => ({
  id: row.id,
  name: row.name,
  last_four: row.last_four,
  is_active: row.is_active,
  scopes: row.scopes,
  expires_at: row.expires_at?.toISOString() ?? null,
  networks: row.networks,
  rolled_to: row.rolled_to,
  last_used_at: row.last_used_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
});

/** What an API key lets its client do: act for a tenant, on a plan. */
export interface KeyAccess {
  tenantId: number;
  keyId: number;
  plan: Tenant['plan'];
  status: Tenant['status'];
  scopes: readonly KeyScope[];
  /** Epoch milliseconds. */
  expiresAtMs: number | null;
  networks: readonly string[] | null;
}

export const hasExpired = ({ expiresAtMs }: Pick<KeyAccess, 'expiresAtMs'>, nowMs: number): boolean =>
  expiresAtMs !== null && expiresAtMs <= nowMs;

/** Whether it is neither revoked nor expired. */
export const isValid = (
  { is_active, expires_at }: Pick<ApiKeyRow, 'is_active' | 'expires_at'>,
  nowMs: number,
): boolean => is_active && !hasExpired({ expiresAtMs: expires_at?.getTime() ?? null }, nowMs);

/** Whether the key may no longer do something that it could do. */
export const isNarrowed = (before: KeyAccess, now: KeyAccess): boolean =>
  before.scopes.some((scope) => !now.scopes.includes(scope));

type Restrictions = Pick<ApiKeyRow, 'scopes' | 'expires_at' | 'networks'>;

/** Whether the key can do anything afterwards that it couldn't do before: more, for longer, or from elsewhere. */
export const isWidened = (before: Restrictions, after: Restrictions): boolean =>
  after.scopes.some((scope) => !before.scopes.includes(scope)) ||
  (before.expires_at !== null && (after.expires_at === null || after.expires_at > before.expires_at)) ||
  (before.networks !== null && !after.networks?.every((network) => before.networks?.includes(network)));
