import { leastNear, MAX_QUOTA_USES, PLAN_QUOTAS, type QuotaUse } from '@frontdesk/contracts';
import { type SystemScope, systemSql, type TenantReads, tenantSql } from '@frontdesk/database';

const save = systemSql<never, { tenantIds: number[]; bytes: number[] }>(
  'stored_bytes_save',
  `update tenants set stored_bytes = measured.bytes
   from tenants known left join unnest($tenantIds::bigint[], $bytes::bigint[]) as measured(tenant_id, bytes) using (tenant_id)
   where tenants.tenant_id = known.tenant_id and tenants.stored_bytes is distinct from measured.bytes`,
);

/** Of those that are not measured, as they store little, nothing is known. It is no change of the tenant, so it has no event. */
export const saveStoredBytes = (system: SystemScope, sums: ReadonlyMap<number, number>) =>
  system.run(save, { tenantIds: [...sums.keys()], bytes: [...sums.values()] });

const find = tenantSql<{ stored_bytes: number | null }>(
  'stored_bytes_of_tenant',
  'select stored_bytes from tenants where tenant_id = $tenantId',
);

/** Null where that is little, or not measured yet. */
export const findStoredBytes = async (db: TenantReads) => (await db.maybeOne(find))?.stored_bytes ?? null;

const LEAST_QUOTA = Math.min(...Object.values(PLAN_QUOTAS).map(({ stored_bytes }) => stored_bytes));

const findToJudge = systemSql<{ tenant_id: number }>(
  'stored_bytes_to_judge',
  `select tenant_id from tenants
   where stored_bytes > ${LEAST_QUOTA} or storage_full or 'stored_bytes' = any(unsettled_quotas) order by tenant_id`,
);

/** Tenants that may store more than they are allowed, or did. */
export const listTenantsToJudge = async (system: SystemScope) =>
  (await system.many(findToJudge)).map(({ tenant_id }) => tenant_id);

const findUses = systemSql<QuotaUse, { from: number; limit: number }>(
  'stored_bytes_quota_uses',
  `select tenant_id, 'stored_bytes' as quota, stored_bytes as used from tenants where stored_bytes >= $from
   order by stored_bytes desc limit $limit`,
);

/** Tenants that may be near their quota, those with most first. */
export const findStorageUses = (system: SystemScope) =>
  system.many(findUses, { from: leastNear('stored_bytes'), limit: MAX_QUOTA_USES });
