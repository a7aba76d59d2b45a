import { type SystemScope, systemSql } from '@frontdesk/database';

/** A row that waits for a worker. */
export interface DueRow {
  tenant_id: number;
  id: number;
}

/**
 * Finds, for each tenant but the excluded ones, the row that has been due for longest. It steps from tenant to tenant along an index
 * on (tenant_id, `due`, id), so its cost grows with tenants and not with rows. `skip locked` passes over rows that another process is
 * working on; the locks end with the statement.
 */
export function longestDueOfEach(options: { name: string; table: string; waiting: string; due: string }) {
  const { name, table, waiting, due } = options;
  const statement = systemSql<DueRow, { without: number[]; limit: number }>(
    name,
    `with recursive tenants_waiting as (
       (select tenant_id from ${table} where ${waiting} order by tenant_id limit 1)
       union all
       select (select r.tenant_id from ${table} r where ${waiting} and r.tenant_id > t.tenant_id
         order by r.tenant_id limit 1)
       from tenants_waiting t where t.tenant_id is not null
     )
     select longest.tenant_id, longest.id from tenants_waiting t cross join lateral (
       select r.tenant_id, r.id, r.${due} as due from ${table} r
       where ${waiting} and r.tenant_id = t.tenant_id and r.${due} <= now()
       order by r.${due}, r.id limit 1 for update skip locked
     ) longest
     where t.tenant_id <> all($without::bigint[]) order by longest.due limit $limit`,
  );
  return (system: SystemScope, without: number[], limit: number) =>
    system.many(statement, { without, limit });
}

const MAX_DELAY_SECONDS = 300;

/** When a row is due again: later with each attempt. */
export const afterAttempts = (attempts: string, maxSeconds = MAX_DELAY_SECONDS) =>
  `now() + least(power(2, least(${attempts}, 20)), ${maxSeconds}) * interval '1 second'`;
