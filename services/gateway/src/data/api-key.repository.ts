import { type Database, systemSql, tenantSql } from '@frontdesk/database';
import type { Caller } from '../domain/access.ts';

const findCallers = systemSql<Caller & { keyHash: string }, [keyHashes: string[]]>(
  'api_key_callers',
  `select encode(api_keys.key_hash, 'hex') as "keyHash", api_keys.tenant_id as "tenantId", api_keys.id as "keyId",
     tenants.plan, tenants.status
   from unnest($1::text[]) as asked (key_hash)
   join api_keys on api_keys.key_hash = decode(asked.key_hash, 'hex') join tenants using (tenant_id)
   where api_keys.is_active`,
);

const markUsed = systemSql<never, [tenantIds: number[], keyIds: number[], usedAt: Date[]]>(
  'api_key_used',
  `update api_keys set last_used_at = used.at
   from unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) as used (tenant_id, id, at)
   where api_keys.tenant_id = used.tenant_id and api_keys.id = used.id
     and (api_keys.last_used_at is null or api_keys.last_used_at < used.at)`,
);

/** How many keys a tenant has. */
export const countKeys = tenantSql<{ active: number; revoked: number }>(
  'api_key_count',
  `select count(*) filter (where is_active) as active, count(*) filter (where not is_active) as revoked
   from api_keys where tenant_id = $1`,
);

export interface KeyUse {
  tenantId: number;
  keyId: number;
  usedAt: Date;
}

/** What is asked before it is known whose key it is, or of the keys of many tenants at once. */
export function createApiKeyRepository({ system }: Database) {
  return {
    /** @param keyHashes hex */
    async findCallers(keyHashes: string[]): Promise<Map<string, Caller>> {
      const rows = await system.many(findCallers, keyHashes);
      return new Map(rows.map(({ keyHash, ...caller }) => [keyHash, caller]));
    },
    async markUsed(uses: readonly KeyUse[]): Promise<void> {
      await system.run(
        markUsed,
        uses.map(({ tenantId }) => tenantId),
        uses.map(({ keyId }) => keyId),
        uses.map(({ usedAt }) => usedAt),
      );
    },
  };
}

export type ApiKeyRepository = ReturnType<typeof createApiKeyRepository>;
