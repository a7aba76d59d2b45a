import {
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';
import { afterAttempts, type DueRow } from '../due-rows/due-row.repository.ts';

/**
 * A call is parked where the business has no quota left for its customer: it is due at infinity. A business may have any number of such calls, so crm is
 * asked about one of them at a time, and about more once it has answered that one.
 */
export const IS_PARKED = `link_due_at = 'infinity'`;

/** Longest between two probes of a business: four a day. */
const MAX_PROBE_SECONDS = 6 * 3_600;

const park = tenantSql<never, { id: number }>(
  'calls_park',
  // The row is written even if it exists: a process that looks for a call to probe, and finds none, so waits for this
  // transaction and sees the new parked call.
  `with parked as (
     insert into parked_tenants as known (tenant_id, probe_at) values ($tenantId, now() + interval '1 s')
     on conflict (tenant_id) do update set probes = known.probes)
   update calls set link_attempts = link_attempts + 1, link_due_at = 'infinity'
   where tenant_id = $tenantId and id = $id and link_due_at is not null`,
);

/** Has nobody ask crm for this locked call before there is a sign of quota left. */
export const parkCall = (tx: TenantTransaction, id: number) => tx.run(park, { id });

const findDue = systemSql<DueRow, { without: number[]; limit: number }>(
  'parked_tenants_find_due',
  `select tenant_id, tenant_id as id from parked_tenants
   where probe_at <= now() and tenant_id <> all($without::bigint[]) order by probe_at limit $limit`,
);

/** Businesses of which a parked call is to be probed. */
export const findTenantsToProbe = (system: SystemScope, without: number[], limit: number) =>
  system.many(findDue, { without, limit });

const lockDue = tenantSql<never>(
  'parked_tenant_lock',
  'select from parked_tenants where tenant_id = $tenantId and probe_at <= now() for update skip locked',
);

// A statement of its own, after the lock: it sees what was parked until then.
const forget = tenantSql<never>(
  'parked_tenant_forget',
  `delete from parked_tenants where tenant_id = $tenantId
     and not exists (select from calls where calls.tenant_id = $tenantId and calls.${IS_PARKED})`,
);

const probe = tenantSql<never>(
  'parked_tenant_probe',
  `with probed as (
     update calls set link_due_at = now() where tenant_id = $tenantId and id = (
       select id from calls where tenant_id = $tenantId and ${IS_PARKED} order by id limit 1 for update skip locked))
   update parked_tenants set probes = probes + 1, probe_at = ${afterAttempts('probes + 1', MAX_PROBE_SECONDS)}
   where tenant_id = $tenantId`,
);

/**
 * Has crm asked about the oldest parked call, less often each time. @returns false where none is parked any more, or
 * another process does it
 */
export async function probeParkedCall(tx: TenantTransaction): Promise<boolean> {
  if ((await tx.run(lockDue)) === 0) return false;
  if ((await tx.run(forget)) > 0) return false;
  await tx.run(probe);
  return true;
}

/** As many calls that were parked are asked for at a time. */
const TRIED_TOGETHER = 10;

const unpark = tenantSql<never>(
  'calls_unpark',
  `with probe_again as (
     update parked_tenants set probes = 0, probe_at = now() + interval '1 s' where tenant_id = $tenantId)
   update calls set link_due_at = now() where tenant_id = $tenantId and id in (
     select id from calls where tenant_id = $tenantId and ${IS_PARKED} order by id
     limit ${TRIED_TOGETHER} - (select count(*) from (
       select from calls where tenant_id = $tenantId and link_due_at <= now() limit ${TRIED_TOGETHER}) due)
     for update skip locked)`,
);

/** Has crm asked about some more parked calls, as it has answered one. */
export const unparkCalls = (db: TenantReads) => db.run(unpark);

/** By then crm knows too what has changed of the tenant. */
const KNOWN_AFTER_SECONDS = 10;

const probeSoon = systemSql<never, { tenantIds: number[] }>(
  'parked_tenants_probe_soon',
  `update parked_tenants set probes = 0, probe_at = now() + interval '${KNOWN_AFTER_SECONDS} s' where tenant_id = any($tenantIds::bigint[])`,
);

/** For tenants that have changed: their quotas may be larger. */
export const probeTenantsSoon = (system: SystemScope, tenantIds: number[]) =>
  system.run(probeSoon, { tenantIds });

const putOff = tenantSql<never>(
  'parked_tenant_put_off',
  `update parked_tenants set probe_at = now() + interval '30 s' where tenant_id = $tenantId`,
);

/** Lets others go first after a fault. */
export const deferProbe = (db: TenantReads) => db.run(putOff);
