import { systemSql } from '@frontdesk/database';
import { FAILURES_TO_OPEN } from '../endpoints/endpoint-health.rules.ts';

export interface ClaimRow {
  tenant_id: number;
  id: number;
  endpoint_id: number;
  event_row: number;
  event_id: string;
  /** Under which it is sent. */
  name: string;
  /** Whether its endpoint may know what was said in calls. */
  shows_transcripts: boolean;
  traceparent: string | null;
  attempt_count: number;
  /** Since when it could have been sent, in milliseconds of the database's clock. */
  due_at_ms: number;
  url: string;
  secret: string;
  /** Until it runs out, deliveries are signed with this one as well. */
  previous_secret: string | null;
  /** Of its endpoint's own, sealed; null where there are none. The statement brings them once for each endpoint. */
  headers: string | null;
  /** The endpoint's, as it was when its address and secret were read. */
  endpoint_version: number;
  consecutive_failures: number;
  /** Within the bytes of one claim. */
  fits: boolean;
  /** Of its event; null where another row of the same claim brings it, or where it does not fit. */
  body: string | null;
}

/** Bodies that one claim brings, in bytes, each delivery's counted, unless a single one is longer. */
const CLAIMED_BYTES = 16 * 1024 * 1024;
const FITS = `(l.position = 1 or sum(octet_length(v.body)) over so_far <= ${CLAIMED_BYTES})`;

interface ClaimArgs {
  fromTenantId: number;
  perTenant: number;
  perEndpoint: number;
  /** JSON of the id of a tenant → `{all, perEndpoint}`. */
  tenantLimits: string;
  /** JSON of the id of an endpoint → how many. */
  endpointLimits: string;
  /** JSON of the id of a tenant → that of its endpoint that had the last turn. */
  turns: string;
  limit: number;
  token: string;
  owner: number;
  leaseMs: number;
}

/**
 * `tenants` steps through the index from one tenant with something waiting to the next, in a circle that begins with the given one,
 * and only as far as the limit makes it. Of each tenant, its endpoints with something due share what it may have, beginning behind the
 * one that had the last turn; of each endpoint, the longest due. An endpoint that may have none costs one step, however long its
 * backlog: one that is paused, whose breaker is open, or whose tenant is suspended. A tenant that has all that it may costs one step.
 * `unfinished` are tenants of which that may not have been all: it brought all that an endpoint, or the tenant, may have.
 * An endpoint whose breaker was open is tried with a single delivery. Rows that another process is just claiming are skipped. Limits
 * are looked up in JSON: ten thousand of them in arrays would be gone through for each of ten thousand endpoints, which takes longer
 * than a statement may. The body of an event comes once, however many of its deliveries are claimed; those beyond the bytes of one
 * claim are for another time.
 */
export const claimDue = systemSql<ClaimRow & { is_unfinished: boolean; has_more: boolean }, ClaimArgs>(
  'deliveries_claim',
  `with recursive tenants as (
     select $fromTenantId::bigint as tenant_id, 1 as lap
     union all
     select next.tenant_id, next.lap
     from tenants cross join lateral (
       (
         select q.tenant_id, tenants.lap from delivery_queue q
         where q.lease_token is null and q.tenant_id > tenants.tenant_id order by q.tenant_id limit 1
       )
       union all
       select 0, 2 where tenants.lap = 1
       limit 1
     ) next
     where next.lap = 1 or next.tenant_id < $fromTenantId
   ), due as materialized (
     select due.*
     from tenants cross join lateral (
       select
         coalesce(($tenantLimits::jsonb -> tenants.tenant_id::text ->> 'all')::integer, $perTenant::integer) as most,
         coalesce(($tenantLimits::jsonb -> tenants.tenant_id::text ->> 'perEndpoint')::integer, $perEndpoint::integer) as per_endpoint,
         coalesce(($turns::jsonb ->> tenants.tenant_id::text)::bigint, 0) as last_turn
     ) may cross join lateral (
       select q.at, endpoint.tenant_id, endpoint.id as endpoint_id, endpoint.most, may.most as tenant_most
       from (
         select tenant_id, id, least(most, (may.most + count(*) over () - 1) / count(*) over ()) as most
         from (
           select e.tenant_id, e.id, least(
             coalesce(($endpointLimits::jsonb ->> e.id::text)::integer, may.per_endpoint),
             case
               when e.consecutive_failures < ${FAILURES_TO_OPEN} then null
               when (
                 select true from delivery_queue tried
                 where tried.tenant_id = e.tenant_id and tried.endpoint_id = e.id and tried.lease_token is not null limit 1) then 0
               else 1
             end) as most
           from endpoints e
           where e.tenant_id = tenants.tenant_id and e.is_active and not e.is_suspended and e.deleted_at is null
             and (e.retry_at is null or e.retry_at <= now())
             and (
               select true from delivery_queue q
               where q.tenant_id = e.tenant_id and q.endpoint_id = e.id and q.lease_token is null and q.due_at <= now() limit 1)
         ) ready
         where most > 0
         order by id <= may.last_turn, id
       ) endpoint cross join lateral (
         select q.ctid as at from delivery_queue q
         where q.tenant_id = endpoint.tenant_id and q.endpoint_id = endpoint.id and q.lease_token is null and q.due_at <= now()
         order by q.due_at, q.delivery_id
         limit endpoint.most
         for update skip locked
       ) q
       limit may.most
     ) due
     limit $limit
   ), unfinished as materialized (
     select tenant_id from due group by tenant_id, endpoint_id, most having count(*) >= most
     union
     select tenant_id from due group by tenant_id, tenant_most having count(*) >= tenant_most
   ), leased as (
     update delivery_queue q
     set lease_token = $token, lease_owner = $owner, leased_until = now() + $leaseMs::integer * interval '1 millisecond'
     where q.ctid = any(array(select at from due))
     returning q.tenant_id, q.delivery_id, q.endpoint_id, q.event_row, q.name, q.traceparent, q.attempt_count, q.due_at
   ), numbered as (
     select *, row_number() over (
       order by tenant_id < $fromTenantId, tenant_id, endpoint_id <= coalesce(($turns::jsonb ->> tenant_id::text)::bigint, 0),
         endpoint_id, due_at, delivery_id
     ) as position
     from leased
   )
   select l.tenant_id, l.delivery_id as id, l.endpoint_id, l.event_row, v.event_id, coalesce(l.name, v.name) as name, l.traceparent,
     l.attempt_count,
     extract(epoch from l.due_at)::float8 * 1000 as due_at_ms, e.url, e.secret,
     'calls:transcripts' = any(e.scopes) as shows_transcripts,
     case when e.previous_secret_until > now() then e.previous_secret end as previous_secret,
     case when l.position = min(l.position) over (partition by l.endpoint_id) then e.headers end as headers,
     e.version as endpoint_version, e.consecutive_failures,
     ${FITS} as fits, case when ${FITS} and l.position = min(l.position) over (partition by l.event_row) then v.body end as body,
     l.tenant_id = any(array(select tenant_id from unfinished)) as is_unfinished, (select count(*) from due) = $limit as has_more
   from numbered l
   cross join lateral (
     select v.event_id, v.name, v.body from events v where v.tenant_id = l.tenant_id and v.id = l.event_row limit 1
   ) v
   cross join lateral (select * from endpoints e where e.tenant_id = l.tenant_id and e.id = l.endpoint_id limit 1) e
   window so_far as (order by l.position rows unbounded preceding)
   order by l.position`,
);

interface ResultArgs {
  tenantIds: number[];
  deliveryIds: number[];
  tokens: string[];
  statuses: string[];
  delaysMs: (number | null)[];
  httpStatuses: (number | null)[];
  responseBodies: (string | null)[];
  attempts: string[];
  attemptCounts: number[];
  durationsMs: number[];
  firstId: number;
  lastId: number;
}

interface RecordedRow {
  recorded: [position: number, status: string, latencyMs: number | null][];
}

/**
 * Only the holder of the lease writes: a result that comes after the lease was given to another changes nothing. A
 * delivery that was cancelled under way is delivered if it got through, and stays cancelled otherwise: each is locked
 * before it is asked whether it is cancelled. The first and the last id name the partitions; the endpoint and the event, which the key
 * doesn't need, make each index of the log as exact as the key, whichever of them the planner takes.
 * The queue is joined with nothing, but looked up row by row by its key alone, and changed by a list of keys: it was often
 * empty when PostgreSQL last looked, and would then be read whole for each result. Not by where its rows lie: of a row that
 * somebody has just changed the statement would see nothing there. One row comes back, which costs less than one for
 * each: for every result whose lease still held its position among those given, counted from 1.
 */
export const record = systemSql<RecordedRow, ResultArgs>(
  'deliveries_record',
  `with results as (
     select * from unnest(
       $tenantIds::bigint[], $deliveryIds::bigint[], $tokens::uuid[], $statuses::text[], $delaysMs::integer[],
       $httpStatuses::integer[], $responseBodies::text[], $attempts::text[], $attemptCounts::integer[], $durationsMs::integer[]
     ) with ordinality
       as r (tenant_id, delivery_id, lease_token, status, delay_ms, http_status, response_body, attempt, attempt_count,
         duration_ms, position)
   ), held as materialized (
     select r.*, q.endpoint_id, q.event_row, r.status = 'pending' and not q.is_cancelled as is_tried_again
     from results r cross join lateral (
       select q.endpoint_id, q.event_row, q.lease_token, q.is_cancelled from delivery_queue q
       where q.delivery_id = r.delivery_id limit 1 for update
     ) q
     where q.lease_token = r.lease_token
   ), ended as (
     delete from delivery_queue q where q.delivery_id = any(array(select delivery_id from held where not is_tried_again))
   ), put_back as (
     update delivery_queue q
     set due_at = now() + interval '1 millisecond' * (array(select delay_ms from held where is_tried_again))[
         array_position(array(select delivery_id from held where is_tried_again), q.delivery_id)],
       attempt_count = q.attempt_count + 1, lease_token = null, lease_owner = null, leased_until = null
     where q.delivery_id = any(array(select delivery_id from held where is_tried_again))
   ), logged as (
     update deliveries d set
       status = case when d.status = 'cancelled' and h.status <> 'delivered' then d.status else h.status end,
       attempt_count = d.attempt_count + 1,
       attempts = d.attempts || h.attempt,
       next_attempt_at = case when d.status = 'pending' then now() + h.delay_ms * interval '1 millisecond' end,
       http_status = h.http_status,
       response_body = h.response_body,
       duration_ms = h.duration_ms,
       delivered_at = case when h.status = 'delivered' then now() end
     from held h
     where d.tenant_id = h.tenant_id and d.endpoint_id = h.endpoint_id and d.event_row = h.event_row and d.id = h.delivery_id
       and d.id between $firstId and $lastId
     returning h.position, d.status, case when d.status = 'delivered' and d.attempt_count = h.attempt_count
       then extract(epoch from d.delivered_at - d.created_at)::float8 * 1000 end as latency_ms
   )
   select coalesce(json_agg(json_build_array(position, status, latency_ms)), '[]') as recorded from logged`,
);

/** Counting ends here: a larger number would tell an operator nothing more. */
export const MOST_COUNTED = 10_000;

export interface QueueCounts {
  waiting: number;
  leased: number;
  open_endpoints: number;
}

// Leases are bounded by what the processes may hold.
export const countQueue = systemSql<QueueCounts>(
  'deliveries_count_queue',
  `select
     (select count(*) from (
       select from delivery_queue where lease_token is null limit ${MOST_COUNTED}
     ) counted) as waiting,
     (select count(*) from delivery_queue where lease_token is not null) as leased,
     (select count(*) from endpoints
      where deleted_at is null and is_active and consecutive_failures >= ${FAILURES_TO_OPEN}) as open_endpoints`,
);

// Steps from endpoint to endpoint: a backlog that may not be sent now costs one step.
export const oldestDue = systemSql<{ age_seconds: number }>(
  'deliveries_oldest_due',
  `with recursive backlogs as (
     (
       select tenant_id, endpoint_id from delivery_queue
       where lease_token is null order by tenant_id, endpoint_id limit 1
     )
     union all
     select next.tenant_id, next.endpoint_id
     from backlogs cross join lateral (
       select q.tenant_id, q.endpoint_id from delivery_queue q
       where q.lease_token is null and (q.tenant_id, q.endpoint_id) > (backlogs.tenant_id, backlogs.endpoint_id)
       order by q.tenant_id, q.endpoint_id limit 1
     ) next
   )
   select coalesce(extract(epoch from now() - min(due.due_at)), 0)::float8 as age_seconds
   from backlogs cross join lateral (
     select q.due_at from delivery_queue q
     where q.lease_token is null and q.tenant_id = backlogs.tenant_id and q.endpoint_id = backlogs.endpoint_id
       and q.due_at <= now()
     order by q.due_at limit 1
   ) due
   join endpoints e on e.tenant_id = backlogs.tenant_id and e.id = backlogs.endpoint_id
   where e.is_active and not e.is_suspended and (e.retry_at is null or e.retry_at <= now())`,
);
