import type { PageQuery } from '@frontdesk/contracts';
import { type SystemScope, systemSql } from '@frontdesk/database';

interface FailingEndpointRow {
  tenant_id: number;
  id: number;
  is_active: boolean;
  failing_since: Date | null;
  consecutive_failures: number;
  last_failure: string | null;
}

/** Those that pauses and suspensions keep from getting anything have no fault to mend. */
const FAILING = `from endpoints
   where deleted_at is null and not is_suspended
     and (case when is_active then failing_since is not null else disabled_reason is not null end)`;

const list = systemSql<FailingEndpointRow, [limit: number, offset: number]>(
  'failing_endpoints_page',
  `select tenant_id, id, is_active, failing_since, consecutive_failures, last_failure
   ${FAILING} order by is_active, failing_since nulls first, tenant_id, id limit $1 offset $2`,
);
const count = systemSql<{ total: number }>('failing_endpoints_count', `select count(*) as total ${FAILING}`);

/** Endpoints of all tenants that fail or were disabled for it: the disabled ones first, then the longest failing. */
export async function listFailingEndpoints(system: SystemScope, { page, per_page }: PageQuery) {
  const [rows, { total }] = await Promise.all([
    system.many(list, per_page, (page - 1) * per_page),
    system.one(count),
  ]);
  return { rows, total };
}
