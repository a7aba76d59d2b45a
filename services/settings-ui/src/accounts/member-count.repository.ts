import { leastNear, MAX_QUOTA_USES } from '@frontdesk/contracts';
import {
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { foldEmail } from './account.rules.ts';

// An advisory lock, because no row of the tenant may exist yet.
const lock = tenantSql<never>(
  'admins_lock_count',
  `select pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'admins', 'tenant_id', $tenantId::bigint), 0))`,
);

const count = tenantSql<{ count: number }, { exceptFolded: string }>(
  'admins_count',
  `select (select count(*) from memberships where tenant_id = $tenantId)
     + (select count(*) from admin_invitations
        where tenant_id = $tenantId and expires_at > now() and email_folded <> $exceptFolded) as count`,
);

const findLargest = systemSql<
  { tenant_id: number; quota: 'admins'; used: number },
  { from: number; limit: number }
>(
  'admins_count_largest',
  `select tenant_id, 'admins' as quota, count(*) as used
   from (select tenant_id from memberships
     union all select tenant_id from admin_invitations where expires_at > now()) as people
   group by tenant_id having count(*) >= $from order by used desc limit $limit`,
);

/** Tenants that may be near their quota of admins, those of most admins and open invitations first. */
export const findTenantsByAdmins = (system: SystemScope) =>
  system.many(findLargest, { from: leastNear('admins'), limit: MAX_QUOTA_USES });

/** The number of admins and open invitations. */
export const countAdmins = async (db: TenantReads) => (await db.one(count, { exceptFolded: '' })).count;

/**
 * The same count, under a lock: until the transaction ends, nobody is added. A new invitation to an email
 * replaces its old one.
 */
export async function countOtherAdminsLocked(tx: TenantTransaction, email: string): Promise<number> {
  await tx.run(lock);
  return (await tx.one(count, { exceptFolded: foldEmail(email) })).count;
}
