import { systemSql } from '@frontdesk/database';
import {
  DISABLED_AFTER_DAYS,
  FAILURES_TO_OPEN,
  FIRST_OPEN_SECONDS,
  MAX_OPEN_SECONDS,
} from '../domain/breaker.ts';

interface FailingEndpoint {
  tenant_id: number;
  id: number;
}

/**
 * What results say of their endpoints' health. A success closes the breaker; failures on end open it, each for longer.
 * Returns the endpoints that have failed for so long that they are to be disabled.
 */
export const recordHealth = systemSql<
  FailingEndpoint,
  [
    tenantIds: number[],
    endpointIds: number[],
    successes: number[],
    failures: number[],
    lastFailures: (string | null)[],
  ]
>(
  'endpoints_health',
  `with told as (
     select t.*, case when t.successes > 0 then 0 else e.consecutive_failures + t.failures end as failures_on_end
     from unnest($1::bigint[], $2::bigint[], $3::integer[], $4::integer[], $5::text[])
       as t (tenant_id, endpoint_id, successes, failures, last_failure)
     join endpoints e on e.tenant_id = t.tenant_id and e.id = t.endpoint_id
     order by t.endpoint_id
     for update of e
   ), updated as (
     update endpoints e set
       consecutive_failures = told.failures_on_end,
       retry_at = case when told.failures_on_end >= ${FAILURES_TO_OPEN} then now() + interval '1 second'
         * least(${FIRST_OPEN_SECONDS} * 2 ^ least(told.failures_on_end - ${FAILURES_TO_OPEN}, 20), ${MAX_OPEN_SECONDS}) end,
       failing_since = case when told.failures_on_end > 0 then coalesce(e.failing_since, now()) end,
       last_success_at = case when told.successes > 0 then now() else e.last_success_at end,
       last_failure_at = case when told.failures > 0 then now() else e.last_failure_at end,
       last_failure = coalesce(told.last_failure, e.last_failure)
     from told where e.tenant_id = told.tenant_id and e.id = told.endpoint_id
     returning e.tenant_id, e.id, e.is_active, e.failing_since
   )
   select tenant_id, id from updated
   where is_active and failing_since < now() - interval '${DISABLED_AFTER_DAYS} days'`,
);
