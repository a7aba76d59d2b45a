import type { NamedRecord } from '@frontdesk/contracts';
import { tenantSql } from '@frontdesk/database';

/** Statements about several services or staff. `columns` are those that an import gives. */
export const namedStatements = (table: 'services' | 'staff', columns: string) => ({
  // A booking holds the rows that it names until it is in, so it comes before or after each holder of such a row.
  lock: tenantSql<{ id: number }, { ids: number[] }>(
    `${table}_lock`,
    `select id from ${table} where tenant_id = $tenantId and id = any($ids::bigint[]) order by id for update`,
  ),
  count: tenantSql<{ count: number; active: number }>(
    `${table}_count`,
    `select count(*), count(*) filter (where is_active) as active
     from ${table} where tenant_id = $tenantId and deleted_at is null`,
  ),
  upsert: tenantSql<NamedRecord, { entries: string }>(
    `${table}_upsert`,
    `insert into ${table} (tenant_id, ${columns})
     select $tenantId, ${columns} from json_populate_recordset(null::${table}, $entries::json) with ordinality order by ordinality
     on conflict (tenant_id, name) where deleted_at is null do update
     set (${columns}) = row(${columns.replaceAll(/\w+/g, 'excluded.$&')}), version = ${table}.version + 1
     returning id, name`,
  ),
});
