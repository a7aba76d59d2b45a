import { leastNear, MAX_QUOTA_USES } from '@frontdesk/contracts';
import {
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { foldEmail } from '../domain/sign-in/admin.ts';

// An advisory lock, because no row of the tenant may exist yet.
const lock = tenantSql<never>(
  'admins_lock_count',
  `select pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'admins', 'tenant_id', $1::bigint), 0))`,
);

const count = tenantSql<{ count: number }, [exceptFolded: string]>(
  'admins_count',
  `select (select count(*) from admin_users where tenant_id = $1)
     + (select count(*) from admin_invitations
        where tenant_id = $1 and expires_at > now() and email_folded <> $2) as count`,
);

const findLargest = systemSql<
  { tenant_id: number; quota: 'admins'; used: number },
  [from: number, limit: number]
>(
  'admins_count_largest',
  `select tenant_id, 'admins' as quota, count(*) as used
   from (select tenant_id from admin_users
     union all select tenant_id from admin_invitations where expires_at > now()) as people
   group by tenant_id having count(*) >= $1 order by used desc limit $2`,
);

/** Tenants that may be near their quota of admins, those of most admins and open invitations first. */
export const findTenantsByAdmins = (system: SystemScope) =>
  system.many(findLargest, leastNear('admins'), MAX_QUOTA_USES);

/** The number of admins and open invitations. */
export const countAdmins = async (db: TenantReads) => (await db.one(count, '')).count;

/** The same count, under a lock: until the transaction ends, nobody is added. A new invitation to an email replaces its old one. */
export async function countOtherAdminsLocked(tx: TenantTransaction, email: string): Promise<number> {
  await tx.run(lock);
  return (await tx.one(count, foldEmail(email))).count;
}
