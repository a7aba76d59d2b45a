import type { Plan, StatedQuotas, Tenant } from '@frontdesk/contracts';
import { systemSql, type TenantReads, tenantSql } from '@frontdesk/database';

/** `quotas` is null where the tenant's latest event named none. */
export type ProfileRow = Pick<Tenant, 'id' | 'timezone' | 'country' | 'currency' | 'status'> & {
  plan: Plan;
  quotas: StatedQuotas | null;
  storage_full: boolean;
};

export const findTenant = systemSql<ProfileRow, { tenantId: number }>(
  'tenants_find',
  'select tenant_id as id, timezone, country, currency, status, plan, quotas, storage_full from tenants where tenant_id = $tenantId',
);

const findName = tenantSql<{ name: string }>(
  'tenants_name',
  'select name from tenants where tenant_id = $tenantId',
);

/** What a tenant is called, which few ask for. The directory has found it before. */
export const findTenantName = async (db: TenantReads): Promise<string> => (await db.one(findName)).name;

/** One tenant may come once only. Older versions than the one stored change nothing. */
export const upsertTenants = systemSql<
  never,
  {
    tenantIds: number[];
    names: string[];
    plans: string[];
    statuses: string[];
    timezones: string[];
    countries: string[];
    currencies: string[];
    quotas: (string | null)[];
    storageFull: boolean[];
    versions: number[];
  }
>(
  'tenants_upsert',
  `insert into tenants (tenant_id, name, plan, status, timezone, country, currency, quotas, storage_full, version)
   select * from unnest(
     $tenantIds::bigint[], $names::text[], $plans::text[], $statuses::text[], $timezones::text[], $countries::text[],
     $currencies::text[], $quotas::jsonb[], $storageFull::boolean[], $versions::bigint[])
   order by 1
   on conflict (tenant_id) do update set
     name = excluded.name, plan = excluded.plan, status = excluded.status, timezone = excluded.timezone,
     country = excluded.country, currency = excluded.currency,
     quotas = excluded.quotas, storage_full = excluded.storage_full, version = excluded.version
   where tenants.version < excluded.version`,
);
