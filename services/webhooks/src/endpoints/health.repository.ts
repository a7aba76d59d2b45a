import { DISABLED_AFTER_DAYS, type PageQuery } from '@frontdesk/contracts';
import { type SystemScope, systemSql } from '@frontdesk/database';
import {
  DISABLED_AFTER_FAILURES,
  FAILURES_TO_OPEN,
  FIRST_OPEN_SECONDS,
  MAX_OPEN_SECONDS,
} from './endpoint-health.rules.ts';

interface EndedEndpoint {
  tenant_id: number;
  id: number;
  version: number;
}

/**
 * Adds results to the health of endpoints that have not been changed since. A success closes the breaker; failures on end open it,
 * each for longer. Returns the endpoints that have failed for so long that they are to be disabled.
 */
const record = systemSql<
  EndedEndpoint,
  {
    tenantIds: number[];
    endpointIds: number[];
    versions: number[];
    successes: number[];
    failures: number[];
    failuresOnEnd: number[];
    lastFailures: (string | null)[];
  }
>(
  'endpoints_health',
  `with report as (
     select t.tenant_id, t.endpoint_id, t.successes, t.failures, t.last_failure,
       t.failures_on_end + case when t.successes > 0 then 0 else e.consecutive_failures end as failures_on_end
     from unnest(
       $tenantIds::bigint[], $endpointIds::bigint[], $versions::integer[], $successes::integer[], $failures::integer[],
       $failuresOnEnd::integer[], $lastFailures::text[]
     ) as t (tenant_id, endpoint_id, version, successes, failures, failures_on_end, last_failure)
     join endpoints e on e.tenant_id = t.tenant_id and e.id = t.endpoint_id and e.version = t.version
     order by t.endpoint_id
     for update of e
   ), updated as (
     update endpoints e set
       consecutive_failures = report.failures_on_end,
       retry_at = case when report.failures_on_end >= ${FAILURES_TO_OPEN} then now() + interval '1 second'
         * least(${FIRST_OPEN_SECONDS} * 2 ^ least(report.failures_on_end - ${FAILURES_TO_OPEN}, 20), ${MAX_OPEN_SECONDS}) end,
       failing_since = case
         when report.failures_on_end = 0 then null
         when report.successes > 0 then now()
         else coalesce(e.failing_since, now())
       end,
       last_success_at = case when report.successes > 0 then now() else e.last_success_at end,
       last_failure_at = case when report.failures > 0 then now() else e.last_failure_at end,
       last_failure = coalesce(report.last_failure, e.last_failure)
     from report where e.tenant_id = report.tenant_id and e.id = report.endpoint_id
     returning e.tenant_id, e.id, e.version, e.is_active, e.failing_since, e.consecutive_failures
   )
   select tenant_id, id, version from updated
   where is_active and consecutive_failures >= ${DISABLED_AFTER_FAILURES}
     and failing_since < now() - interval '${DISABLED_AFTER_DAYS} days'`,
);

/** What the results of a short time say about one endpoint. */
export interface HealthReport {
  tenantId: number;
  endpointId: number;
  /** The endpoint's version when its URL was read. The results say nothing about a later version. */
  version: number;
  successes: number;
  failures: number;
  /** Since the last success among these results. */
  failuresOnEnd: number;
  lastFailure: string | null;
  /** It answered 410. */
  isGone: boolean;
}

/** An endpoint that is to be disabled, unless it has been changed since it was at this version. */
export interface FailedEndpoint extends EndedEndpoint {
  reason: 'gone' | 'failing';
}

/** Stores what the reports say. @returns the endpoints that are gone or have failed for days: they are to be disabled */
export async function recordHealth(
  system: SystemScope,
  reports: readonly HealthReport[],
): Promise<FailedEndpoint[]> {
  const failing = await system.many(record, {
    tenantIds: reports.map(({ tenantId }) => tenantId),
    endpointIds: reports.map(({ endpointId }) => endpointId),
    versions: reports.map(({ version }) => version),
    successes: reports.map(({ successes }) => successes),
    failures: reports.map(({ failures }) => failures),
    failuresOnEnd: reports.map(({ failuresOnEnd }) => failuresOnEnd),
    lastFailures: reports.map(({ lastFailure }) => lastFailure),
  });
  const gone = reports
    .filter(({ isGone }) => isGone)
    .map(({ tenantId, endpointId, version }) => ({ tenant_id: tenantId, id: endpointId, version }));
  return [
    ...gone.map((endpoint) => ({ ...endpoint, reason: 'gone' as const })),
    ...failing.map((endpoint) => ({ ...endpoint, reason: 'failing' as const })),
  ];
}

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

const list = systemSql<FailingEndpointRow, { limit: number; offset: number }>(
  'failing_endpoints_page',
  `select tenant_id, id, is_active, failing_since, consecutive_failures, last_failure
   ${FAILING} order by is_active, failing_since nulls first, tenant_id, id limit $limit offset $offset`,
);
const count = systemSql<{ total: number }>('failing_endpoints_count', `select count(*) as total ${FAILING}`);

/** Endpoints of all tenants that fail or were disabled for it: the disabled ones first, then the longest failing. */
export async function listFailingEndpoints(system: SystemScope, { page, per_page }: PageQuery) {
  const [rows, { total }] = await Promise.all([
    system.many(list, { limit: per_page, offset: (page - 1) * per_page }),
    system.one(count),
  ]);
  return { rows, total };
}
