import { leastNear, MAX_QUOTA_USES, type QuotaUsage, type QuotaUse } from '@frontdesk/contracts';
import { type SystemScope, systemSql, type TenantReads } from '@frontdesk/database';
import { countServices } from './service.repository.ts';
import { countStaff } from './staff.repository.ts';

const ofTable = (table: 'staff' | 'services', from: '$1' | '$2') => `
  (select tenant_id, '${table}' as quota, count(*) as used from ${table}
   where is_active and deleted_at is null group by tenant_id having count(*) >= ${from}
   order by used desc limit $3)`;

const find = systemSql<QuotaUse, [staffFrom: number, servicesFrom: number, limit: number]>(
  'quota_uses',
  `${ofTable('staff', '$1')} union all ${ofTable('services', '$2')}`,
);

/** Tenants that may be near a quota; of each quota those who use most. */
export const findQuotaUses = (system: SystemScope) =>
  system.many(find, leastNear('staff'), leastNear('services'), MAX_QUOTA_USES);

/** How much of these quotas one tenant uses. */
export async function readQuotaUsage(db: TenantReads): Promise<QuotaUsage> {
  const [staff, services] = await Promise.all([countStaff(db), countServices(db)]);
  return { staff: staff.active, services: services.active };
}
