import { systemSql } from '@frontdesk/database';
import { FAILURES_TO_OPEN } from '../domain/breaker.ts';

export interface ClaimRow {
  tenant_id: number;
  id: number;
  endpoint_id: number;
  event_id: string;
  /** Under which it is sent. */
  name: string;
  traceparent: string | null;
  attempt_count: number;
  /** Since when it could have been sent, in milliseconds of the database's clock. */
  due_at_ms: number;
  url: string;
  secret: string;
  /** Until it runs out, deliveries are signed with this one as well. */
  previous_secret: string | null;
  /** The endpoint's, as it was when its address and secret were read. */
  endpoint_version: number;
  consecutive_failures: number;
  body: string;
}

/** Bodies that one claim brings, in bytes, unless a single one is longer. */
const CLAIMED_BYTES = 16 * 1024 * 1024;

interface ClaimArgs {
  afterEndpointId: number;
  perEndpoint: number;
  /** JSON of the id of an endpoint or a tenant → how many. */
  endpointLimits: string;
  tenantLimits: string;
  limit: number;
  token: string;
  owner: number;
  leaseMs: number;
}

/**
 * `backlogs` steps through the index from one endpoint with something waiting to the next, and only as far as the limit
 * makes it; of each, `claimed` takes the longest due, as many as the endpoint and its tenant may lease. An endpoint that may lease none
 * costs one step, however long its backlog: one that is paused, whose breaker is open, or whose tenant is suspended or has all that it
 * may. One whose breaker was open is tried with a single delivery. Rows that another process is just claiming are skipped. What comes
 * without its body is for another time. Limits are looked up in JSON: ten thousand of them in arrays would be gone through for each
 * of ten thousand endpoints, which takes longer than a statement may.
 */
export const claimDue = systemSql<Omit<ClaimRow, 'body'> & { body: string | null }, ClaimArgs>(
  'deliveries_claim',
  `with recursive backlogs as (
     (
       select endpoint_id from delivery_queue
       where lease_token is null and endpoint_id > $afterEndpointId order by endpoint_id limit 1
     )
     union all
     select (
       select q.endpoint_id from delivery_queue q
       where q.lease_token is null and q.endpoint_id > backlogs.endpoint_id order by q.endpoint_id limit 1
     )
     from backlogs where backlogs.endpoint_id is not null
   ), claimed as (
     select due.at
     from backlogs cross join lateral (
       select q.ctid as at from delivery_queue q
       where q.lease_token is null and q.endpoint_id = backlogs.endpoint_id and q.due_at <= now()
       order by q.due_at, q.delivery_id
       limit coalesce((
         select least(
           coalesce(($endpointLimits::jsonb ->> backlogs.endpoint_id::text)::integer, $perEndpoint::integer),
           ($tenantLimits::jsonb ->> e.tenant_id::text)::integer,
           case
             when e.consecutive_failures < ${FAILURES_TO_OPEN} then null
             when exists (
               select from delivery_queue tried
               where tried.endpoint_id = backlogs.endpoint_id and tried.lease_token is not null) then 0
             else 1
           end)
         from endpoints e
         where e.id = backlogs.endpoint_id and e.is_active and not e.is_suspended and e.deleted_at is null
           and (e.retry_at is null or e.retry_at <= now())
       ), 0)
       for update skip locked
     ) due
     limit $limit
   ), leased as (
     update delivery_queue q
     set lease_token = $token, lease_owner = $owner, leased_until = now() + $leaseMs::integer * interval '1 millisecond'
     where q.ctid = any(array(select at from claimed))
     returning q.tenant_id, q.delivery_id, q.endpoint_id, q.event_row, q.traceparent, q.attempt_count, q.due_at
   )
   select l.tenant_id, l.delivery_id as id, l.endpoint_id, v.event_id, v.name, l.traceparent, l.attempt_count,
     extract(epoch from l.due_at)::float8 * 1000 as due_at_ms, e.url, e.secret,
     case when e.previous_secret_until > now() then e.previous_secret end as previous_secret,
     e.version as endpoint_version, e.consecutive_failures,
     case when sum(octet_length(v.body)) over so_far <= ${CLAIMED_BYTES} or row_number() over so_far = 1 then v.body end as body
   from leased l
   cross join lateral (
     select v.event_id, v.name, v.body from events v where v.tenant_id = l.tenant_id and v.id = l.event_row limit 1
   ) v
   cross join lateral (select * from endpoints e where e.id = l.endpoint_id limit 1) e
   window so_far as (order by l.endpoint_id, l.due_at, l.delivery_id rows unbounded preceding)`,
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
  recorded: [place: number, status: string, latencyMs: number | null][];
}

/**
 * Only the holder of the lease writes: a result that comes after the lease was given to another changes nothing. A
 * delivery that was cancelled under way is delivered if it got through, and stays cancelled otherwise: each is locked
 * before it is asked whether it is cancelled. The first and the last id name the partitions; the endpoint and the event, which the key
 * doesn't need, make each index of the log as exact as the key, whichever of them the planner takes.
 * The queue is joined with nothing, but looked up row by row by its key alone, and changed by a list of keys: it was often
 * empty when PostgreSQL last looked, and would then be read whole for each result. Not by where its rows lie: of a row that
 * somebody has just changed the statement would see nothing there. One row comes back, which costs less than one for
 * each: for every result whose lease still held its place among those given, counted from 1.
 */
export const record = systemSql<RecordedRow, ResultArgs>(
  'deliveries_record',
  `with results as (
     select * from unnest(
       $tenantIds::bigint[], $deliveryIds::bigint[], $tokens::uuid[], $statuses::text[], $delaysMs::integer[],
       $httpStatuses::integer[], $responseBodies::text[], $attempts::text[], $attemptCounts::integer[], $durationsMs::integer[]
     ) with ordinality
       as r (tenant_id, delivery_id, lease_token, status, delay_ms, http_status, response_body, attempt, attempt_count,
         duration_ms, place)
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
     returning h.place, d.status, case when d.status = 'delivered' and d.attempt_count = h.attempt_count
       then extract(epoch from d.delivered_at - d.created_at)::float8 * 1000 end as latency_ms
   )
   select coalesce(json_agg(json_build_array(place, status, latency_ms)), '[]') as recorded from logged`,
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

// Steps from endpoint to endpoint, as a claim does: a backlog that may not be sent now costs one step.
export const oldestDue = systemSql<{ age_seconds: number }>(
  'deliveries_oldest_due',
  `with recursive backlogs as (
     (select endpoint_id from delivery_queue where lease_token is null order by endpoint_id limit 1)
     union all
     select (
       select q.endpoint_id from delivery_queue q
       where q.lease_token is null and q.endpoint_id > backlogs.endpoint_id order by q.endpoint_id limit 1
     )
     from backlogs where backlogs.endpoint_id is not null
   )
   select coalesce(extract(epoch from now() - min(due.due_at)), 0)::float8 as age_seconds
   from backlogs cross join lateral (
     select q.due_at from delivery_queue q
     where q.lease_token is null and q.endpoint_id = backlogs.endpoint_id and q.due_at <= now()
     order by q.due_at limit 1
   ) due
   join endpoints e on e.id = backlogs.endpoint_id
   where e.is_active and not e.is_suspended and (e.retry_at is null or e.retry_at <= now())`,
);
