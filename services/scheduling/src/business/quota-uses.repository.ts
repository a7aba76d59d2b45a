import { leastNear, MAX_QUOTA_USES, type QuotaUsage, type QuotaUse } from '@frontdesk/contracts';
import { type SystemScope, systemSql, type TenantReads } from '@frontdesk/database';
import { countCreatedToday, findCreatedUses } from '../appointments/created-appointments.repository.ts';
import { countServices } from '../services/service.repository.ts';
import { countStaff } from '../staff/staff.repository.ts';

const ofTable = (table: 'staff' | 'services', from: '$staffFrom' | '$servicesFrom') => `
  (select tenant_id, '${table}' as quota, count(*) as used from ${table}
   where is_active and deleted_at is null group by tenant_id having count(*) >= ${from}
   order by used desc limit $limit)`;

const find = systemSql<QuotaUse, { staffFrom: number; servicesFrom: number; limit: number }>(
  'quota_uses',
  `${ofTable('staff', '$staffFrom')} union all ${ofTable('services', '$servicesFrom')}`,
);

/** Tenants that may be near a quota; of each quota those who use most. */
export async function findQuotaUses(system: SystemScope): Promise<QuotaUse[]> {
  const [ofRecords, ofToday] = await Promise.all([
    system.many(find, {
      staffFrom: leastNear('staff'),
      servicesFrom: leastNear('services'),
      limit: MAX_QUOTA_USES,
    }),
    findCreatedUses(system),
  ]);
  return [...ofRecords, ...ofToday];
}

/** How much of these quotas one tenant uses. */
export async function readQuotaUsage(db: TenantReads): Promise<QuotaUsage> {
  const [staff, services, appointments_per_day] = await Promise.all([
    countStaff(db),
    countServices(db),
    countCreatedToday(db),
  ]);
  return { staff: staff.active, services: services.active, appointments_per_day };
}
